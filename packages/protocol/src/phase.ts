import type { TaskState } from './states.ts'

/**
 * What a task is waiting for. Derived from its state and the current time, never stored. RECEIPT_MISSING: the review is over,
 * and silence does not pay, because the store of the terms gave no receipt.
 */
export const taskPhases = [
  'OPEN_FOR_CLAIM',
  'CLAIM_CLOSED',
  'AWAITING_FUNDS',
  'READY_TO_START',
  'WORKING',
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
  deadline: number
  reviewEnd: number
  /** The store whose receipt a delivery needs for silence to pay. */
  store: string | null
  receipted: boolean
  total: bigint
  funded: bigint
}

/**
 * Derives the phase of a task at `now`, in unix seconds. Returns null for a task that does not exist.
 *
 * @example
 * ```ts
 * deriveTaskPhase(task, block.timestamp) // 'OPEN_FOR_CLAIM'
 * ```
 */
export function deriveTaskPhase(task: PhaseFacts, now: number): TaskPhase | null {
  switch (task.state) {
    case 'NONE':
      return null
    case 'POSTED':
      return now <= task.claimableUntil ? 'OPEN_FOR_CLAIM' : 'CLAIM_CLOSED'
    case 'CLAIMED':
      return task.funded < task.total ? 'AWAITING_FUNDS' : 'READY_TO_START'
    case 'ACTIVE':
      if (task.reviewEnd !== 0) {
        if (now <= task.reviewEnd) return 'IN_REVIEW'
        return task.receipted || task.store === null ? 'REVIEW_LAPSED' : 'RECEIPT_MISSING'
      }
      return now <= task.deadline ? 'WORKING' : 'OVERDUE'
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
 * const isLate = now > (findPhaseEnd(task) ?? Infinity) // claims closed, review lapsed or work overdue
 * ```
 */
export function findPhaseEnd({
  state,
  claimableUntil,
  reviewEnd,
  deadline,
}: Pick<PhaseFacts, 'state' | 'claimableUntil' | 'reviewEnd' | 'deadline'>) {
  if (state === 'POSTED') return claimableUntil
  return state === 'ACTIVE' ? reviewEnd || deadline : null
}
