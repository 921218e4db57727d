import { bps } from '../amounts.ts'
import type { TaskRecord } from '../records/task.ts'
import { liveStates, type MilestoneState, type TaskState } from '../states.ts'

/** The parts of a task that decide the states of its milestones. */
export type Progress = Pick<TaskRecord, 'state' | 'current' | 'reviewEnd' | 'workerBps' | 'ruled'>

/** The state of a milestone, as `TaskLens` derives it: they settle in order, and an ending settles the rest in one way. */
export function milestoneStateOf(task: Progress, index: number): MilestoneState {
  if (index < task.current) return 'PAID'
  if ((liveStates as readonly TaskState[]).includes(task.state)) {
    return index === task.current && task.reviewEnd !== 0 ? 'DELIVERED' : 'OPEN'
  }
  // A ruling shares only the disputed milestone, a mutual cancel everything that was held.
  const shared = !task.ruled || index === task.current
  if (task.workerBps === 0 || !shared) return 'REFUNDED'
  return BigInt(task.workerBps) === bps ? 'PAID' : 'SPLIT'
}
