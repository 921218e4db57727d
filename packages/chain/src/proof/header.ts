import { type Hex, isHex, keccak256, numberToHex, toRlp } from 'viem'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { ProofError } from './merkle.ts'

/** The fields of a header in the order they are hashed in; those from `baseFeePerGas` on came with later forks, in this order. */
const fields = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'number'],
  ['number', 'number'],
  ['gasLimit', 'number'],
  ['gasUsed', 'number'],
  ['timestamp', 'number'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
  ['baseFeePerGas', 'number'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
] as const

/** A block whose header hashes to its name. */
export interface ProvenBlock extends BlockRef {
  stateRoot: Hex
}

/** The header that hashes to a block's hash: whoever trusts the hash need not trust the provider. Refuses any other. */
export async function provenHeader({ rpc }: Provider, hash: Hex): Promise<ProvenBlock> {
  const header = (await rpc.request('eth_getBlockByHash', [hash, false])) as Record<string, unknown> | null
  const { number, timestamp, stateRoot } = header ?? {}
  const values = fields.flatMap(([name, kind]) => {
    const value = header?.[name]
    return isHex(value) ? [kind === 'number' ? spelled(value) : value] : []
  })
  if (!isHex(number) || !isHex(timestamp) || !isHex(stateRoot) || keccak256(toRlp(values)) !== hash) {
    throw new ProofError(`of block ${hash} fails: ${rpc.name} has no header that hashes to it`)
  }
  return { hash, number: BigInt(number), timestamp: Number(timestamp), stateRoot }
}

/** RLP knows no leading zeros, and zero as nothing. */
function spelled(value: Hex): Hex {
  const number = BigInt(value)
  if (number === 0n) return '0x'
  const digits = numberToHex(number).slice(2)
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`
}
