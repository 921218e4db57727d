import type { TaskState } from './states.ts'

/** What a task is waiting for. Derived from its state and the current time, never stored. */
export const taskPhases = [
  'OPEN_FOR_CLAIM',
  'CLAIM_CLOSED',
  'AWAITING_FUNDS',
  'READY_TO_START',
  'WORKING',
  'IN_REVIEW',
  'REVIEW_LAPSED',
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
      if (task.reviewEnd !== 0) return now <= task.reviewEnd ? 'IN_REVIEW' : 'REVIEW_LAPSED'
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
export function findPhaseEnd({ state, claimableUntil, reviewEnd, deadline }: Omit<PhaseFacts, 'total' | 'funded'>) {
  if (state === 'POSTED') return claimableUntil
  return state === 'ACTIVE' ? reviewEnd || deadline : null
}
