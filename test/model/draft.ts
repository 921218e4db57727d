import type { DisputeSituation } from '../../packages/protocol/src/disputes.ts'
import type { Situation } from '../../packages/protocol/src/guards.ts'
import type { Args } from './facts.ts'
import type { Task, World } from './world.ts'

/** A world that a step may write into, and what the step is about. */
export interface Draft {
  world: World
  task: Task
  /** The task as the call met it. */
  before: Task
  caller: string
  args: Args
  /** Lets one contract call the other, inside the same step. */
  perform: (operation: string, caller: string, args: Args) => void
}

/** A step of the lifecycle. */
export interface TaskDraft extends Draft {
  s: Situation
}

/** A step of a dispute. */
export interface DisputeDraft extends Draft {
  s: DisputeSituation
}

/** The same world, to be written into. Books are replaced when they change; the task is copied at once. */
export function copyOf(world: World, taskId: number | undefined): World {
  const tasks = [...world.tasks]
  const task = taskId === undefined ? undefined : tasks[taskId]
  if (taskId !== undefined && task) tasks[taskId] = copyTask(task)
  return { ...world, tasks }
}

export function copyTask(task: Task): Task {
  const { dispute } = task
  return {
    ...task,
    reserves: { ...task.reserves },
    dispute: { ...dispute, bench: [...dispute.bench], appeals: [...dispute.appeals], sat: [...dispute.sat] },
  }
}
