import { type Address, type Hex, maxUint128 } from 'viem'
import { taskReserve } from '../money/amounts.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import type { TaskRecord } from '../records/task.ts'
import type { DisputeFacts } from './disputes.ts'
import type { AccountFacts, TaskFacts } from './guards.ts'
import type { TaskId } from './taskId.ts'

/** Everything that decides which actions a task allows, read at one block. Wallets are checksummed addresses. */
export interface TaskContext {
  taskId: TaskId
  task: TaskFacts
  /** Null if the task was never disputed. */
  dispute: DisputeFacts | null
  entriesPaused: boolean
  /** The final court of the market. */
  finalCourt: string
  /** When entries end for good, in unix seconds; zero if no end is set. */
  sunsetAt: number
  account: (wallet: string) => AccountFacts
  /** Whether a wallet is bonded, not unbonding, and has enough of its bond unlocked for this dispute. */
  canTakeCase: (wallet: string) => boolean
  /** Computes the digest that a claim by this wallet needs. Absent if the task is not open for claims or its terms were not read. */
  claimDigest?: (worker: Address) => Hex
}

/** Stands for a final court that was not read. No wallet has this address. */
const somebody = 'somebody'

/**
 * Builds the context of a task from its records alone. It assumes that every wallet has enough money, so it answers what the
 * state and the time allow.
 */
export function buildTaskContext(taskId: TaskId, task: TaskRecord, dispute: DisputeRecord | null): TaskContext {
  const unlimited = { deposit: maxUint128, free: maxUint128, tok: maxUint128, credits: 0n }
  return {
    taskId,
    task: toTaskFacts(task, { posterReserve: taskReserve, allowedWorker: null }),
    dispute: dispute && toDisputeFacts(dispute),
    entriesPaused: false,
    finalCourt: somebody,
    sunsetAt: 0,
    account: () => unlimited,
    canTakeCase: () => true,
  }
}

/**
 * Converts a task record to the facts that guards check, with what other storage holds of the task.
 *
 * @example
 * ```ts
 * const facts = toTaskFacts(task, { posterReserve, allowedWorker })
 * ```
 */
export function toTaskFacts(
  task: TaskRecord,
  { posterReserve, allowedWorker }: Pick<TaskFacts, 'posterReserve' | 'allowedWorker'>,
): TaskFacts {
  const amount = task.milestones[task.current]?.amount ?? 0n
  return { ...task, milestoneCount: task.milestones.length, amount, posterReserve, allowedWorker }
}

/**
 * Converts a dispute record to the facts that guards check.
 *
 * @example
 * ```ts
 * const facts = toDisputeFacts(dispute)
 * ```
 */
export function toDisputeFacts(dispute: DisputeRecord): DisputeFacts {
  const { round, offerBps, askBps } = dispute
  return { ...dispute, number: round, offerBps: BigInt(offerBps), askBps: BigInt(askBps) }
}
