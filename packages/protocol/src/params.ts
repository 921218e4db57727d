import type { Market } from './market.ts'

/** What makes a market that market. Constructor arguments of its contracts, so fixed for life; durations are seconds. */
export interface MarketParams {
  /** After a claim, the time in which only the poster may start the work. */
  vetWindow: number
  /** After a claim, the time to fund the task in full and start it. */
  fundingWindow: number
  minReviewWindow: number
  maxReviewWindow: number
  /** How far ahead a claim deadline may lie. */
  maxClaimDeadline: number
  /** Claims close this long before the claim deadline. */
  claimCutoff: number
  minDuration: number
  maxDuration: number
  /** Live claims a worker with the entry deposit may have. */
  baseClaims: number
  consentWindow: number
  evidenceWindow: number
  rulingWindow: number
  appealWindow: number
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The two markets. Where a deadline costs somebody money, `standard` leaves at least six hours. */
export const marketParams: Record<Market, MarketParams> = {
  standard: {
    vetWindow: 6 * hour,
    fundingWindow: 24 * hour,
    minReviewWindow: 24 * hour,
    maxReviewWindow: 168 * hour,
    maxClaimDeadline: 30 * day,
    claimCutoff: hour,
    minDuration: 6 * hour,
    maxDuration: 365 * day,
    baseClaims: 3,
    consentWindow: 48 * hour,
    evidenceWindow: 72 * hour,
    rulingWindow: 48 * hour,
    appealWindow: 48 * hour,
  },
  micro: {
    vetWindow: 15 * minute,
    fundingWindow: 2 * hour,
    minReviewWindow: hour,
    maxReviewWindow: 48 * hour,
    maxClaimDeadline: 7 * day,
    claimCutoff: 10 * minute,
    minDuration: 15 * minute,
    maxDuration: 30 * day,
    baseClaims: 5,
    consentWindow: 12 * hour,
    evidenceWindow: 24 * hour,
    rulingWindow: 12 * hour,
    appealWindow: 12 * hour,
  },
}

/** The review window a terms document gets when it names none. */
export const defaultReviewWindow: Record<Market, number> = { standard: 72 * hour, micro: 24 * hour }
