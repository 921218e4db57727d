import * as z from 'zod/mini'
import { type Market, market } from '../market.ts'
import { tokens } from '../units.ts'
import { count, hashText, moment } from './scalars.ts'

/** What every answer about a market says of itself. */
export const metaJson = z.object({
  protocolVersion: z.literal('v2'),
  /** The ticker of the token that amounts are in. */
  asset: z.literal(tokens.tok.symbol),
  market,
  /** Every row was read over the chain RPC, just now or by the index. */
  source: z.literal('chain-rpc'),
  /** The block that the whole answer is true at. */
  block: z.object({ number: count, hash: hashText, timestamp: moment }),
  /** There when the chain cannot be reached: the block is the last good one. */
  stale: z.optional(z.literal(true)),
})

export type MetaJson = z.infer<typeof metaJson>

/** `meta` of a list: where the next page begins, null on the last one. */
export const listMetaJson = z.extend(metaJson, { nextCursor: z.nullable(z.string()) })

interface BlockOf {
  number: bigint
  hash: string
  timestamp: number
}

/** The `meta` of an answer at a block. */
export function metaJsonOf(market: Market, block: BlockOf, stale: boolean): MetaJson {
  return {
    protocolVersion: 'v2',
    asset: tokens.tok.symbol,
    market,
    source: 'chain-rpc',
    block: { number: Number(block.number), hash: block.hash, timestamp: block.timestamp },
    ...(stale && { stale }),
  }
}
