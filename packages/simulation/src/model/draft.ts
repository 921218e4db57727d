import type { DisputeSituation, Situation } from '@svc/protocol/internal/tasks'
import type { Args } from './facts.ts'
import type { Task, World } from './world.ts'

/** A world that a step may write to, and the task and call of the step. */
export interface Draft {
  world: World
  task: Task
  /** The task before the call. */
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

/** Does a move. A method, whose parameters TypeScript compares both ways: the table has one for each move, and the row names it. */
export type Play<OwnDraft, OwnMove> = { play(draft: OwnDraft, move: OwnMove): void }['play']

/** Copies a world for a step to write to. Books are copied when they change, the task at once. */
export function copyWorld(world: World, taskId: number | undefined): World {
  const tasks = [...world.tasks]
  const task = taskId === undefined ? undefined : tasks[taskId]
  if (taskId !== undefined && task) tasks[taskId] = copyTask(task)
  return { ...world, tasks }
}

export function copyTask(task: Task): Task {
  return {
    ...task,
    reserves: { ...task.reserves },
    exitDeposits: { ...task.exitDeposits },
    dispute: { ...task.dispute },
  }
}
