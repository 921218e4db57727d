import { type Hex, isHex, keccak256, toRlp } from 'viem'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { ProofError } from './merkle.ts'

/** The fields of a header in hashing order. Those from `baseFeePerGas` on were added by later forks, in this order. */
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

/** A block whose header hashes to its block hash. */
export interface ProvenBlock extends BlockRef {
  stateRoot: Hex
}

/** Fetches a header and checks that it hashes to `hash`, so only the hash has to be trusted. Throws `ProofError` if it does not. */
export async function proveHeader({ rpc }: Provider, hash: Hex): Promise<ProvenBlock> {
  const header = (await rpc.request('eth_getBlockByHash', [hash, false])) as Record<string, unknown> | null
  const { number, timestamp, stateRoot } = header ?? {}
  if (!isHex(number) || !isHex(timestamp) || !isHex(stateRoot) || hashHeader(header ?? {}) !== hash) {
    throw new ProofError(`of block ${hash} fails: ${rpc.name} did not return a header with this hash`)
  }
  return { hash, number: BigInt(number), timestamp: Number(timestamp), stateRoot }
}

/** Computes the hash of a block from its header, as nodes return it. Fields that are missing or not hex are left out. */
export function hashHeader(
  header: Readonly<Record<string, unknown>>,
  keccak: (bytes: Uint8Array) => Hex = keccak256,
): Hex {
  const values = fields.flatMap(([name, kind]) => {
    const value = header[name]
    return isHex(value) ? [kind === 'number' ? encodeRlpNumber(value) : value] : []
  })
  return keccak(toRlp(values, 'bytes'))
}

/** Encodes a number for RLP: without leading zeros, and zero as an empty string. */
export function encodeRlpNumber(value: Hex): Hex {
  const digits = value.replace(/^0x0*/, '')
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`
}
