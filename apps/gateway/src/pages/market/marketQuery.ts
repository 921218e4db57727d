import { createQueryParser, params as fields, parseInput, phaseLabels, ServiceError } from '@svc/operations'
import { type Market, parseAmount, type TaskPhase } from '@svc/protocol'
import { z } from 'zod'

/** The lists to choose from, with the phases of each; null means all. */
export const shows = {
  claimable: { name: phaseLabels.OPEN_FOR_CLAIM, phases: ['OPEN_FOR_CLAIM'] },
  claimed: { name: phaseLabels.READY_TO_START, phases: ['AWAITING_FUNDS', 'READY_TO_START', 'CLAIM_LAPSED'] },
  working: {
    name: phaseLabels.WORKING,
    phases: ['WORKING', 'UNDER_NOTICE', 'IN_REVIEW', 'REVIEW_LAPSED', 'RECEIPT_MISSING', 'OVERDUE'],
  },
  disputed: { name: phaseLabels.IN_DISPUTE, phases: ['IN_DISPUTE'] },
  settled: { name: phaseLabels.SETTLED, phases: ['SETTLED'] },
  any: { name: 'All', phases: null },
} as const satisfies Record<string, { name: string; phases: readonly TaskPhase[] | null }>

export type Show = keyof typeof shows

/** The query of the market page, parsed from its URL. */
export interface MarketQuery {
  market: Market
  show: Show
  /** In TOK wei; `minText` is the user's input. */
  min: bigint
  minText: string
  /** Words that must all occur in the title, the tags or the criteria. */
  words: string
  before: bigint | undefined
}

const pageQuery = {
  input: z.object({
    market: fields.market,
    cursor: fields.cursor,
    show: z
      .enum(Object.keys(shows) as [Show, ...Show[]], `show must be one of ${Object.keys(shows).join(', ')}`)
      .default('claimable'),
    min: z.string().max(40, 'min must be an amount of TOK').default(''),
    q: z.string().max(100, 'q must be at most 100 characters').default(''),
  }),
}

/** Parses the query of the market page. Throws a readable error for invalid values. */
export function readMarketQuery(params: URLSearchParams): MarketQuery {
  const { market, cursor, show, min, q } = parseInput(pageQuery, createQueryParser(pageQuery)(params))
  return { market, show, min: parseMinimumPay(min), minText: min, words: q.trim(), before: cursor }
}

/** Formats the query as a URL with some changes. Any change but the cursor starts at the first page. */
export function marketHref(
  query: MarketQuery,
  change: Partial<Record<'market' | 'show' | 'min' | 'cursor', string>>,
): string {
  const { market, show, minText, words } = query
  const all = { market, show, min: minText, q: words, ...change }
  return `/market.html?${new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''))}`
}

function parseMinimumPay(text: string): bigint {
  try {
    return text.trim() === '' ? 0n : parseAmount(text, 'tok')
  } catch (error) {
    throw new ServiceError('INVALID_REQUEST', (error as Error).message)
  }
}
