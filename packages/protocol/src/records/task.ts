import type { Address, Hex } from 'viem'
import type { ClaimPolicy, MilestoneState, TaskScope, TaskState } from '../states.ts'

/** A milestone as readers see it. */
export interface MilestoneRecord {
  amount: bigint
  /** Seconds. */
  duration: number
  /** Derived from the task, never stored. */
  state: MilestoneState
}

/**
 * A task at one block: what the contracts store and what its events fold to are this same record, field by field. Amounts
 * are TOK wei, times unix seconds; zero means not set.
 */
export interface TaskRecord {
  number: bigint
  poster: Address
  worker: Address | null
  state: TaskState
  scope: TaskScope
  claimPolicy: ClaimPolicy
  milestones: readonly MilestoneRecord[]
  /** The index of the milestone in work. */
  current: number
  maxRevisions: number
  /** Revisions asked for on the current milestone. */
  revisions: number
  reviewWindow: number
  arbitrator: Address | null
  total: bigint
  funded: bigint
  released: bigint
  refunded: bigint
  /** Of the terms with today's worker. */
  settlementDigest: Hex
  postedAt: number
  postedBlock: number
  claimDeadline: number
  claimedAt: number
  deadline: number
  reviewEnd: number
  /** The worker's share of the last split, in basis points. */
  workerBps: number
  /** A ruling ended the task. */
  ruled: boolean
}
