import type { Address, Hex } from 'viem'
import type { ClaimPolicy, MilestoneState, TaskScope, TaskState } from '../tasks/states.ts'

/** A milestone of a task. */
export interface MilestoneRecord {
  amount: bigint
  /** Seconds. */
  duration: number
  /** Derived from the task, never stored. */
  state: MilestoneState
}

/**
 * A task at one block. Reading contract storage and folding events both produce this record. Amounts are TOK wei, times
 * are unix seconds; zero means not set.
 */
export interface TaskRecord {
  number: bigint
  poster: Address
  worker: Address | null
  state: TaskState
  scope: TaskScope
  claimPolicy: ClaimPolicy
  milestones: readonly MilestoneRecord[]
  /** The index of the current milestone. */
  current: number
  maxRevisions: number
  /** Revisions requested on the current milestone. */
  revisions: number
  reviewWindow: number
  arbitrator: Address | null
  /** The store whose receipt a delivery needs for silence to pay; null if silence always pays. */
  store: Address | null
  /** The store signed for the delivery in review. */
  receipted: boolean
  /** The poster has ended the work: the worker may deliver what it has until `deadline`, and loses nothing if not. */
  underNotice: boolean
  total: bigint
  funded: bigint
  released: bigint
  refunded: bigint
  /** The digest of the terms with the current worker. */
  settlementDigest: Hex
  postedAt: number
  postedBlock: number
  claimDeadline: number
  claimedAt: number
  /** All the money was there when the worker claimed. */
  fundedAtClaim: boolean
  deadline: number
  reviewEnd: number
  /** The worker's share of the last split, in basis points. */
  workerBps: number
  /** A dispute ended the task, so only the disputed milestone was divided. */
  ruled: boolean
}

/** A task as readers return it, at the time of their block. */
export interface TaskSnapshot extends TaskRecord {
  /**
   * The last second at which the task can be claimed; zero if it cannot be claimed now. It depends on whether entries are
   * paused, so the events of the task do not show it.
   */
  claimableUntil: number
  /** Whom the poster lets claim without a signed permit; null unless the task is posted. */
  allowedWorker: Address | null
}
