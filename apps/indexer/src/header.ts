import { ChainReadError, type Rpc } from '@svc/chain'
import { type Hex, isHex, numberToHex } from 'viem'

/** What we keep and check of a block. */
export interface Header {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Unix seconds. */
  timestamp: number
  logsBloom: Hex
}

/** How many headers are asked for at the same time. */
const atOnce = 50

/** The block with this number or tag; null where the provider has none. Refuses an answer that is no block, or another one. */
export async function getHeader(rpc: Rpc, block: bigint | 'latest' | 'finalized'): Promise<Header | null> {
  const answer = await rpc.request('eth_getBlockByNumber', [
    typeof block === 'bigint' ? numberToHex(block) : block,
    false,
  ])
  if (answer === null) return null
  const { number, hash, parentHash, timestamp, logsBloom } = (answer ?? {}) as Record<string, unknown>
  const complete = isHex(number) && isHash(hash) && isHash(parentHash) && isHex(timestamp) && isHex(logsBloom)
  if (!complete || logsBloom.length !== 514) throw wrong(rpc, 'a block that is none')
  if (typeof block === 'bigint' && BigInt(number) !== block) throw wrong(rpc, `block ${BigInt(number)} for ${block}`)
  return { number: BigInt(number), hash, parentHash, timestamp: Number(timestamp), logsBloom }
}

/** Consecutive headers, each the child of the one before. Refuses a gap and a parent that does not fit. */
export async function getHeaders(rpc: Rpc, from: bigint, to: bigint): Promise<Header[]> {
  const headers: Header[] = []
  for (let start = from; start <= to; start += BigInt(atOnce)) {
    const size = Math.min(atOnce, Number(to - start) + 1)
    const found = await Promise.all(Array.from({ length: size }, (_, index) => getHeader(rpc, start + BigInt(index))))
    for (const header of found) {
      if (!header) throw wrong(rpc, 'a gap')
      const parent = headers.at(-1)
      if (parent && parent.hash !== header.parentHash) throw wrong(rpc, `block ${header.number} with another parent`)
      headers.push(header)
    }
  }
  return headers
}

const isHash = (value: unknown): value is Hex => isHex(value) && value.length === 66
const wrong = (rpc: Rpc, what: string) =>
  new ChainReadError(`${rpc.name} answered eth_getBlockByNumber with ${what}.`, { retryable: true })
