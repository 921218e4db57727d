import { type Market, parseAmount, type TaskPhase } from '@svc/protocol'
import { HttpError, listQuery, parse, queryOf } from '@svc/serve'
import { z } from 'zod'

/** What can be listed, and the phases that belong to it; null: all. */
export const shows = {
  claimable: { name: 'Claimable', phases: ['OPEN_FOR_CLAIM'] },
  claimed: { name: 'Claimed', phases: ['AWAITING_FUNDS', 'READY_TO_START'] },
  working: { name: 'In work', phases: ['WORKING', 'IN_REVIEW', 'REVIEW_LAPSED', 'OVERDUE'] },
  disputed: { name: 'Disputed', phases: ['IN_DISPUTE'] },
  settled: { name: 'Settled', phases: ['SETTLED'] },
  any: { name: 'All', phases: null },
} as const satisfies Record<string, { name: string; phases: readonly TaskPhase[] | null }>

export type Show = keyof typeof shows

/** What of a market is to be listed, as its URL says. */
export interface MarketQuery {
  market: Market
  show: Show
  /** TOK wei; as it was written, too. */
  min: bigint
  minText: string
  /** Words that title or criteria must have. */
  words: string
  before: bigint | undefined
}

const shape = {
  market: listQuery.market,
  cursor: listQuery.cursor,
  show: z
    .enum(Object.keys(shows) as [Show, ...Show[]], `show must be one of ${Object.keys(shows).join(', ')}`)
    .default('claimable'),
  min: z.string().max(40, 'min must be an amount of TOK').default(''),
  q: z.string().max(100, 'q must be at most 100 characters').default(''),
}

/** Reads the query of the market page. Refuses what cannot be meant, with words. */
export function readMarketQuery(params: URLSearchParams): MarketQuery {
  const { market, cursor, show, min, q } = parse(shape, queryOf(params))
  return { market, show, min: amountOf(min), minText: min, words: q.trim(), before: cursor }
}

/** The same query as a URL, with some of it changed; a change of anything but the cursor begins at the first page. */
export function marketHref(
  query: MarketQuery,
  change: Partial<Record<'market' | 'show' | 'min' | 'cursor', string>>,
): string {
  const { market, show, minText, words } = query
  const all = { market, show, min: minText, q: words, ...change }
  return `/market.html?${new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''))}`
}

function amountOf(text: string): bigint {
  try {
    return text.trim() === '' ? 0n : parseAmount(text, 'tok')
  } catch (error) {
    throw new HttpError(400, 'INVALID_REQUEST', (error as Error).message)
  }
}
