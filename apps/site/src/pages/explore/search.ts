import type { ClientInput } from '@svc/client'
import type { Market } from '@svc/protocol'
import { type SearchSort, searchSorts } from '@svc/protocol/internal/tasks'

/** The most characters of the words, and the most tags, that a search may have. */
export const maxWords = 200
const maxTags = 8

/** What is offered. A URL may ask for other values. */
export const payRanges = ['5-', '20-', '50-', '200-', '1000-', '-5', '5-20', '20-50', '50-200'] as const
export const closingDays = [1, 3, 7, 30] as const
export const posterScores = [10, 50, 100] as const

/**
 * A search as the URL of the page has it, so that a link restores it. Parameters that the API has too have its names, so that the
 * link of a saved search, which is a query of the API, shows the same tasks.
 */
export interface Search {
  q: string
  tags: readonly string[]
  /** Least and most pay in dollars, `20-50`; either can be missing. Empty for any. */
  pays: string
  /** The same in TOK wei, as a saved search has it. Both are null if `pays` is given. */
  minPayTokWei: string | null
  maxPayTokWei: string | null
  funded: boolean
  claimPolicy: 'ANYONE' | 'PERMIT' | null
  /** Claims close within this many days; 0 for any. */
  closes: number
  /** The least score of the poster; 0 for any. */
  minPosterScore: number
  /** Whether tasks are found too whose claims have closed. */
  isWaiting: boolean
  sort: SearchSort
}

/** What is cleared together. */
export const noFilters = {
  q: null,
  tags: null,
  pays: null,
  minPayTokWei: null,
  maxPayTokWei: null,
  funded: null,
  claimPolicy: null,
  closes: null,
  minPosterScore: null,
} as const

/** Whether a search leaves tasks out. */
export const isFiltered = (search: Search): boolean =>
  search.q !== '' ||
  search.tags.length > 0 ||
  search.pays !== '' ||
  search.minPayTokWei !== null ||
  search.maxPayTokWei !== null ||
  search.funded ||
  search.claimPolicy !== null ||
  search.closes > 0 ||
  search.minPosterScore > 0

/** Reads a search from the query of the page. What cannot be understood is left out. */
export function readSearch(query: URLSearchParams): Search {
  const q = (query.get('q') ?? '').trim().slice(0, maxWords)
  const policy = query.get('claimPolicy')
  const range = query.get('pays') ?? ''
  const pays = readRange(range) ? range : ''
  const chosen = searchSorts.find((each) => each === query.get('sort'))
  const usual = q === '' ? 'newest' : 'relevance'
  return {
    q,
    tags: [...new Set((query.get('tags') ?? '').split(',').filter(Boolean))].slice(0, maxTags),
    pays,
    minPayTokWei: pays === '' ? readWei(query.get('minPayTokWei')) : null,
    maxPayTokWei: pays === '' ? readWei(query.get('maxPayTokWei')) : null,
    funded: query.get('funded') === 'true',
    claimPolicy: policy === 'ANYONE' || policy === 'PERMIT' ? policy : null,
    closes: readCount(query.get('closes'), 365),
    minPosterScore: readCount(query.get('minPosterScore'), 1_000_000),
    isWaiting: (query.get('show') ?? query.get('status')) === 'waiting',
    // Without words, nothing is more relevant than anything else.
    sort: chosen && !(chosen === 'relevance' && q === '') ? chosen : usual,
  }
}

/** Reads a range of dollars. Null if the text is none. */
export function readRange(text: string): { min: number; max: number | null } | null {
  const [, min = '', max = ''] = /^(\d{0,7})-(\d{0,7})$/.exec(text) ?? []
  if (min === '' && max === '') return null
  return { min: Number(min), max: max === '' ? null : Number(max) }
}

function readCount(text: string | null, max: number): number {
  return text !== null && /^\d{1,7}$/.test(text) && Number(text) <= max ? Number(text) : 0
}

const readWei = (text: string | null): string | null =>
  text !== null && /^(?:0|[1-9]\d{0,77})$/.test(text) ? text : null

/** What is known when a search is sent. */
interface Circumstances {
  market: Market
  /** Null while there is no price: then dollars are not compared. */
  usdPerTok: number | null
  /** Unix seconds. */
  now: number
}

/** The input of the API for a search. */
export function buildSearchInput(
  search: Search,
  { market, usdPerTok, now }: Circumstances,
): ClientInput<'searchTasks'> {
  const range = readRange(search.pays)
  const wei = (usd: number, price: number) => String(BigInt(Math.round((usd / price) * 1e6)) * 10n ** 12n)
  return {
    market,
    sort: search.sort,
    ...(search.q !== '' && { q: search.q }),
    ...(search.tags.length > 0 && { tags: search.tags.join(',') }),
    ...(range && usdPerTok && range.min > 0 && { minPayTokWei: wei(range.min, usdPerTok) }),
    ...(range && usdPerTok && range.max !== null && { maxPayTokWei: wei(range.max, usdPerTok) }),
    ...(search.minPayTokWei !== null && { minPayTokWei: search.minPayTokWei }),
    ...(search.maxPayTokWei !== null && { maxPayTokWei: search.maxPayTokWei }),
    ...(search.funded && { funded: 'true' as const }),
    ...(search.claimPolicy && { claimPolicy: search.claimPolicy }),
    ...(search.isWaiting && { status: 'waiting' as const }),
    // To the hour: a search that changes every second would start again every second.
    ...(search.closes > 0 && { closesBefore: Math.ceil(now / 3_600) * 3_600 + search.closes * 86_400 }),
    ...(search.minPosterScore > 0 && { minPosterScore: search.minPosterScore }),
  }
}

/** The query of the API for a search that lasts. An end in unix seconds would soon be past, so it is left out. */
export function buildLastingQuery({ sort, closesBefore, ...input }: ClientInput<'searchTasks'>): string {
  return new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString()
}

/** The feed of a search: its newest tasks. */
export const buildFeedPath = (input: ClientInput<'searchTasks'>): string =>
  `/feeds/tasks.atom?${buildLastingQuery(input)}`
