import { bps } from '../money/amounts.ts'
import type { TaskRecord } from '../records/task.ts'
import { liveStates, type MilestoneState, type TaskState } from '../tasks/states.ts'

/** The fields of a task that decide the states of its milestones. */
export type TaskProgress = Pick<TaskRecord, 'state' | 'current' | 'reviewEnd' | 'workerBps' | 'ruled'>

/**
 * Derives the state of a milestone, like `TaskLens` does. Milestones settle in order; the end of a task settles the rest.
 *
 * @example
 * ```ts
 * deriveMilestoneState(task, 0) // 'PAID'
 * ```
 */
export function deriveMilestoneState(task: TaskProgress, index: number): MilestoneState {
  if (index < task.current) return 'PAID'
  if ((liveStates as readonly TaskState[]).includes(task.state)) {
    return index === task.current && task.reviewEnd !== 0 ? 'DELIVERED' : 'OPEN'
  }
  // A ruling splits only the disputed milestone, a mutual cancel everything that was held.
  const shared = !task.ruled || index === task.current
  if (task.workerBps === 0 || !shared) return 'REFUNDED'
  return BigInt(task.workerBps) === bps ? 'PAID' : 'SPLIT'
}
