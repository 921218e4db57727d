import { ChainReadError, hashHeader, type Rpc } from '@svc/chain'
import { createKeccak } from 'hash-wasm'
import { type Hex, isHex, numberToHex } from 'viem'
import { FalseDataError } from './errors.ts'

/** The fields of a block that are stored or checked. */
export interface Header {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Unix seconds. */
  timestamp: number
  logsBloom: Hex
  receiptsRoot: Hex
}

/** Headers of one request. The next ones are requested before these are checked. */
const concurrency = 50

/** In WebAssembly a header takes 4 us instead of 90. */
const hasher = await createKeccak(256)
const keccak = (bytes: Uint8Array): Hex => `0x${hasher.init().update(bytes).digest('hex')}`

/**
 * Fetches the block with this number or tag; null if the provider does not have it. Throws if the response is invalid, or if the
 * header does not hash to the block's hash: then one of its fields is wrong, such as the bloom filter or the timestamp.
 */
export async function getHeader(rpc: Rpc, block: bigint | 'latest' | 'finalized'): Promise<Header | null> {
  const answer = await rpc.request('eth_getBlockByNumber', [
    typeof block === 'bigint' ? numberToHex(block) : block,
    false,
  ])
  if (answer === null) return null
  const header = parseHeader(rpc, answer)
  if (typeof block === 'bigint' && header.number !== block)
    throw createInvalidBlockError(rpc, `block ${header.number} for ${block}`)
  return header
}

/** Parses the header of a block that a provider returned or pushed. Throws if it is invalid or has another hash. */
export function parseHeader(rpc: Pick<Rpc, 'name'>, answer: unknown): Header {
  const fields: Record<string, unknown> = typeof answer === 'object' ? { ...answer } : {}
  const { number, hash, parentHash, timestamp, logsBloom, receiptsRoot } = fields
  const isComplete =
    isHex(number) &&
    isHash(hash) &&
    isHash(parentHash) &&
    isHex(timestamp) &&
    isHex(logsBloom) &&
    logsBloom.length === 514 &&
    isHash(receiptsRoot)
  if (!isComplete) throw createInvalidBlockError(rpc, 'an invalid block')
  if (hashHeader(fields, keccak) !== hash)
    throw new FalseDataError(`${rpc.name} returned a header of block ${BigInt(number)} with another hash.`, [{ rpc }])
  return { number: BigInt(number), hash, parentHash, timestamp: Number(timestamp), logsBloom, receiptsRoot }
}

/** Fetches consecutive headers. Throws if one is missing or is not the child of the one before. */
export async function getHeaders(rpc: Rpc, from: bigint, to: bigint): Promise<Header[]> {
  const fetchGroup = (start: bigint) => {
    const size = start > to ? 0 : Math.min(concurrency, Number(to - start) + 1)
    const group = Promise.all(Array.from({ length: size }, (_, index) => getHeader(rpc, start + BigInt(index))))
    // Nobody waits for it if an earlier one is invalid.
    group.catch(() => {})
    return group
  }
  const headers: Header[] = []
  let next = fetchGroup(from)
  for (let start = from; start <= to; start += BigInt(concurrency)) {
    const group = next
    next = fetchGroup(start + BigInt(concurrency))
    for (const header of await group) {
      if (!header) throw createInvalidBlockError(rpc, 'a gap')
      const parent = headers.at(-1)
      if (parent && parent.hash !== header.parentHash)
        throw createInvalidBlockError(rpc, `block ${header.number} with another parent`)
      headers.push(header)
    }
  }
  return headers
}

const isHash = (value: unknown): value is Hex => isHex(value) && value.length === 66
const createInvalidBlockError = (rpc: Pick<Rpc, 'name'>, what: string) =>
  new ChainReadError(`${rpc.name} answered eth_getBlockByNumber with ${what}.`, { retryable: true })
