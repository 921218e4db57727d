import { type Market, tokens } from '@svc/protocol'
import { market } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { blockJson } from './scalars.ts'

/** Where an answer was read: from the index, or from the chain itself. */
export const readPaths = ['index', 'chain'] as const
export type ReadPath = (typeof readPaths)[number]

/** What every response about a market says about itself. */
export const metaJson = z
  .object({
    protocolVersion: z.literal('v2').describe('Version of the protocol.'),
    asset: z.literal(tokens.tok.symbol).describe('Symbol of the token that amounts are in.'),
    market: market.check(z.describe('Market that the response is about.')),
    source: z.literal('chain-rpc').describe('Every row comes from the chain RPC, directly or through the index.'),
    path: z.enum(readPaths).describe('Read path: from the index, or from the chain itself.'),
    block: blockJson.describe('Block at which the whole response is true.'),
    stale: z.optional(z.literal(true)).describe('Present if the chain is unreachable: the block is the last good one.'),
  })
  .describe('Market, source and block of a response.')

export type MetaJson = z.infer<typeof metaJson>

/** `meta` of a list. */
export const listMetaJson = metaJson
  .extend({
    nextCursor: z.nullable(z.string()).describe('Pass it as `cursor` for the next page; null on the last page.'),
  })
  .describe('Market, source and block of a list, and where the next page starts.')

interface BlockOf {
  number: bigint
  hash: string
  timestamp: number
}

/** The `meta` of an answer at a block. Without an index, every answer is read from the chain. */
export function buildResponseMeta(
  market: Market,
  block: BlockOf,
  { path = 'chain', stale = false }: { path?: ReadPath; stale?: boolean } = {},
): MetaJson {
  return {
    protocolVersion: 'v2',
    asset: tokens.tok.symbol,
    market,
    source: 'chain-rpc',
    path,
    block: { number: Number(block.number), hash: block.hash, timestamp: block.timestamp },
    ...(stale && { stale }),
  }
}
