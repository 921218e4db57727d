import { type Address, type Hex, maxUint128 } from 'viem'
import { taskReserve } from './amounts.ts'
import type { DisputeFacts } from './disputes.ts'
import type { AccountFacts, TaskFacts } from './guards.ts'
import type { DisputeRecord } from './records/dispute.ts'
import type { TaskRecord } from './records/task.ts'
import type { TaskId } from './taskId.ts'

/** Everything that decides which actions a task allows, read at one block. Wallets are checksummed addresses. */
export interface TaskContext {
  taskId: TaskId
  task: TaskFacts
  /** Null if the task was never disputed. */
  dispute: DisputeFacts | null
  entriesPaused: boolean
  account: (wallet: string) => AccountFacts
  /** An arbitrator who may sit in this dispute; null if there is none. */
  candidate: string | null
  /** At least one arbitrator has enough bond to be drawn, for this dispute or another. */
  somebodyBonded: boolean
  /** The draw of arbitrators: not scheduled, waiting for its block, ready to be read, or without anyone who may sit. */
  draw: 'none' | 'pending' | 'known' | 'empty'
  /** Computes the digest that a claim by this wallet needs. Absent if the task is not open for claims or its terms were not read. */
  claimDigest?: (worker: Address) => Hex
}

/**
 * Builds the context of a task from its records alone. It assumes that every wallet has enough money and that the draw
 * finds someone, so it answers what the state and the time allow.
 */
export function buildTaskContext(taskId: TaskId, task: TaskRecord, dispute: DisputeRecord | null): TaskContext {
  const unlimited = { deposit: maxUint128, free: maxUint128, liveClaims: 0, tok: maxUint128, credits: 0n }
  return {
    taskId,
    task: { ...task, milestoneCount: task.milestones.length, posterReserve: taskReserve },
    dispute: dispute && {
      ...dispute,
      workerBps: BigInt(dispute.workerBps),
      panel: dispute.bench.slice(dispute.panelStart).map((seat) => ({ ...seat, workerBps: BigInt(seat.workerBps) })),
    },
    entriesPaused: false,
    account: () => unlimited,
    candidate: task.arbitrator,
    somebodyBonded: true,
    draw: dispute?.drawBlock ? 'known' : 'none',
  }
}
