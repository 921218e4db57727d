import type { MarketParams } from '../money/params.ts'
import type { TaskState } from './states.ts'

/**
 * What a task is waiting for. Derived from its state and the current time, never stored. CLAIM_LAPSED: nobody funded and started
 * it in time, so only the end of the claim is left. UNDER_NOTICE: the poster has ended the work, and the worker may still deliver
 * what it has. RECEIPT_MISSING: the review is over, and silence does not pay, because the store of the terms gave no receipt.
 */
export const taskPhases = [
  'OPEN_FOR_CLAIM',
  'CLAIM_CLOSED',
  'AWAITING_FUNDS',
  'READY_TO_START',
  'CLAIM_LAPSED',
  'WORKING',
  'UNDER_NOTICE',
  'IN_REVIEW',
  'REVIEW_LAPSED',
  'RECEIPT_MISSING',
  'OVERDUE',
  'IN_DISPUTE',
  'SETTLED',
] as const

export type TaskPhase = (typeof taskPhases)[number]

/** The fields of a task that decide its phase. Times are unix seconds; zero means not set. */
export interface PhaseFacts {
  state: TaskState
  /** The last second at which it can be claimed; zero if it cannot. */
  claimableUntil: number
  claimedAt: number
  deadline: number
  reviewEnd: number
  /** The store whose receipt a delivery needs for silence to pay. */
  store: string | null
  receipted: boolean
  underNotice: boolean
  total: bigint
  funded: bigint
}

/**
 * Derives the phase of a task of a market with these parameters at `now`, in unix seconds. Returns null for a task that does not
 * exist.
 *
 * @example
 * ```ts
 * deriveTaskPhase(task, marketParams.micro, block.timestamp) // 'OPEN_FOR_CLAIM'
 * ```
 */
export function deriveTaskPhase(task: PhaseFacts, params: MarketParams, now: number): TaskPhase | null {
  const isLate = now > (findPhaseEnd(task, params) ?? Number.POSITIVE_INFINITY)
  switch (task.state) {
    case 'NONE':
      return null
    case 'POSTED':
      return isLate ? 'CLAIM_CLOSED' : 'OPEN_FOR_CLAIM'
    case 'CLAIMED':
      if (isLate) return 'CLAIM_LAPSED'
      return task.funded < task.total ? 'AWAITING_FUNDS' : 'READY_TO_START'
    case 'ACTIVE':
      if (task.reviewEnd !== 0) {
        if (!isLate) return 'IN_REVIEW'
        return task.receipted || task.store === null ? 'REVIEW_LAPSED' : 'RECEIPT_MISSING'
      }
      if (isLate) return 'OVERDUE'
      return task.underNotice ? 'UNDER_NOTICE' : 'WORKING'
    case 'DISPUTED':
      return 'IN_DISPUTE'
    default:
      return 'SETTLED'
  }
}

/**
 * Finds the only second after which the phase of a task changes by time alone, whether it has passed or not. Returns null if
 * the state has one phase.
 *
 * @example
 * ```ts
 * const isLate = now > (findPhaseEnd(task, marketParams.micro) ?? Infinity) // claims closed, claim lapsed, review lapsed or work overdue
 * ```
 */
export function findPhaseEnd(
  {
    state,
    claimableUntil,
    claimedAt,
    reviewEnd,
    deadline,
  }: Pick<PhaseFacts, 'state' | 'claimableUntil' | 'claimedAt' | 'reviewEnd' | 'deadline'>,
  { fundingWindow }: Pick<MarketParams, 'fundingWindow'>,
): number | null {
  if (state === 'POSTED') return claimableUntil
  if (state === 'CLAIMED') return claimedAt + fundingWindow
  return state === 'ACTIVE' ? reviewEnd || deadline : null
}
