import type { ClaimPolicy } from './states.ts'

/** The orders of search results. Each sorts by a value that never changes for a task, so pages do not shift. */
export const searchSorts = ['relevance', 'newest', 'pay', 'payPerHour', 'closing'] as const
export type SearchSort = (typeof searchSorts)[number]

/** Which tasks are wanted. Every condition that is given must hold. */
export interface SearchFilter {
  /** Words as people type them: `"exact phrase"`, `or` and `-without` work. */
  words?: string | undefined
  /** The last word may be the beginning of a word, for searches while people type. */
  prefix?: boolean | undefined
  /** The task must have all of them. */
  tags: readonly string[]
  minPay?: bigint | undefined
  maxPay?: bigint | undefined
  /** All of the pay is in escrow. */
  funded: boolean
  claimPolicy?: ClaimPolicy | undefined
  /** Without it, tasks whose claims have closed are found too. */
  claimable: boolean
  /** Bounds of the second at which claims close, in unix seconds. */
  closesAfter?: number | undefined
  closesBefore?: number | undefined
  /** The least reputation score of the poster. */
  minPosterScore?: number | undefined
}

/** Where a page of results ends. */
export interface SearchPosition {
  /** The sort value of the last task that was considered, and its number. */
  value: bigint
  task: bigint
  /** Only tasks up to this number are ranked by relevance, so that new tasks do not change the set while it is paged through. */
  newest: bigint
}

export interface SearchQuery extends SearchFilter {
  sort: SearchSort
  /** 1 to 100. */
  limit: number
  after?: SearchPosition | undefined
}

/** Only so many of the newest matches are ranked by relevance. */
export const maxRanked = 200
