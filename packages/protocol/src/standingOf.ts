import { maxUint128 } from 'viem'
import { taskReserve } from './amounts.ts'
import type { DisputeRecord } from './records/dispute.ts'
import type { TaskRecord } from './records/task.ts'
import type { Standing } from './standing.ts'
import type { TaskId } from './taskId.ts'

/** The standing of a task as its records alone tell it: every wallet is taken to have all it needs, and the draw to be open. */
export function standingOf(taskId: TaskId, task: TaskRecord, dispute: DisputeRecord | null): Standing {
  const rich = { deposit: maxUint128, free: maxUint128, liveClaims: 0, tok: maxUint128, credits: 0n }
  return {
    taskId,
    task: { ...task, milestoneCount: task.milestones.length, posterReserve: taskReserve },
    dispute: dispute && {
      ...dispute,
      workerBps: BigInt(dispute.workerBps),
      panel: dispute.bench.slice(dispute.panelStart).map((seat) => ({ ...seat, workerBps: BigInt(seat.workerBps) })),
    },
    entriesPaused: false,
    account: () => rich,
    candidate: task.arbitrator,
    somebodyBonded: true,
    draw: dispute?.drawBlock ? 'known' : 'none',
  }
}
