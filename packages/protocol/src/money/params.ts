import type { Market } from '../base/market.ts'

/** The parameters of a market. They are constructor arguments of its contracts and never change. Durations are in seconds. */
export interface MarketParams {
  /** How long after a claim only the poster can start the work. */
  vetWindow: number
  /** How long after a claim the task can be fully funded and started. */
  fundingWindow: number
  minReviewWindow: number
  maxReviewWindow: number
  /** How far in the future a claim deadline can be. */
  maxClaimDeadline: number
  /** How long before the claim deadline claims close. */
  claimCutoff: number
  minDuration: number
  maxDuration: number
  /** The least time that a change request, a notice or a late start leaves the worker. */
  minRevisionTime: number
  /** How long after its opening the parties of a dispute can name a judge, and it can accept. */
  consentWindow: number
  /** How long after its opening the parties of a dispute can speak. Nobody rules before. */
  evidenceWindow: number
  /** How long after the evidence window the judge can rule. */
  rulingWindow: number
  /** How long after the ruling the loser can appeal. */
  appealWindow: number
  /** How long the final court can decide. */
  courtWindow: number
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The parameters of both markets. In `standard`, every deadline that can cost money leaves at least six hours. */
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
    minRevisionTime: 48 * hour,
    consentWindow: 48 * hour,
    evidenceWindow: 72 * hour,
    rulingWindow: 48 * hour,
    appealWindow: 72 * hour,
    courtWindow: 168 * hour,
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
    minRevisionTime: 12 * hour,
    consentWindow: 12 * hour,
    evidenceWindow: 24 * hour,
    rulingWindow: 24 * hour,
    appealWindow: 24 * hour,
    courtWindow: 72 * hour,
  },
}

/**
 * How a final court asks Reality.eth, in seconds: how much of its window is left when a case may be asked, and how long an
 * answer must stand. Whoever wants to be past the window must bond against every right answer in turn, twice as much each
 * time, so the ratio of the two decides what a delay costs.
 */
export const realityCourtTimes: Record<Market, { answerTime: number; timeout: number }> = {
  standard: { answerTime: 144 * hour, timeout: 24 * hour },
  micro: { answerTime: 60 * hour, timeout: 10 * hour },
}

/** What a griefer loses that keeps a case open past the court's window, while every answer of theirs is answered. */
export const computeDelayCost = (market: Market, minBond: bigint): bigint => {
  const { answerTime, timeout } = realityCourtTimes[market]
  return (2n * minBond * (4n ** BigInt(Math.ceil(answerTime / timeout)) - 1n)) / 3n
}

/** The default review window of a terms document, in seconds. */
export const defaultReviewWindow: Record<Market, number> = { standard: 72 * hour, micro: 24 * hour }
