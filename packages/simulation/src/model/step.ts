import { buildDisputeRules, buildTaskRules, type DisputeMove, evaluate, type Move } from '@svc/protocol/internal/tasks'
import { accountOperations } from './accounts.ts'
import { copyTask, copyWorld, type DisputeDraft, type Draft, type Play, type TaskDraft } from './draft.ts'
import { type Args, type Call, disputeSituation, situation } from './facts.ts'
import type { Tables } from './tables.ts'
import { newTask, type Task, type World } from './world.ts'

/** The world after a call, or the error of the first check that the call failed. */
export type Outcome = { world: World } | { error: string }

/** Applies an admitted call to a world of its own. */
type Change = (world: World) => void

/** Creates a function that performs a call by these tables. It does not change the world it gets. */
export function step(by: Tables): (world: World, call: Call) => Outcome {
  const rules = buildTaskRules(by)
  const casesRules = buildDisputeRules(by)
  const ofDisputes = new Set(by.disputes.map((row) => row.operation))

  function admitTask(world: World, call: Call, before: Task): Change | string {
    const admitted = evaluate(rules, call.operation, before.state, () => situation(world, before, call))
    if (typeof admitted === 'string') return admitted
    const { row, s } = admitted
    return (own) => {
      const draft = { ...createDraft(own, call, before), s }
      const to = typeof row.to === 'string' ? row.to : row.to[before.terms.scope]
      draft.task.state = to
      for (const effect of row.effects) by.effects[effect](draft)
      for (const move of row.money) {
        const play: Play<TaskDraft, Move> = by.moves[move.move]
        play(draft, move)
      }
      for (const arrival of by.arrivals[to] ?? []) by.onArrival[arrival](draft)
    }
  }

  function admitDispute(world: World, call: Call, before: Task): Change | string {
    const admitted = evaluate(casesRules, call.operation, before.dispute.phase, () =>
      disputeSituation(world, before, call),
    )
    if (typeof admitted === 'string') return admitted
    const { row, s } = admitted
    return (own) => {
      const draft = { ...createDraft(own, call, before), s }
      draft.task.dispute.phase = row.to
      for (const effect of row.effects) by.disputeEffects[effect](draft)
      for (const move of row.money) {
        const play: Play<DisputeDraft, DisputeMove> = by.disputeMoves[move.move]
        play(draft, move)
      }
    }
  }

  function admitCall(world: World, call: Call): Change | string {
    const account = accountOperations[call.operation]
    if (account) return account(world, call)
    const task = call.taskId === undefined ? taskToBe(call) : world.tasks[call.taskId]
    if (ofDisputes.has(call.operation)) return task ? admitDispute(world, call, task) : 'WrongPhase'
    return task ? admitTask(world, call, task) : 'TaskNotFound'
  }

  /** Creates what effects and moves work on. A call to the other contract happens in the same world. */
  function createDraft(world: World, { caller, taskId, args = {} }: Call, before: Task): Draft {
    const task = (taskId === undefined ? undefined : world.tasks[taskId]) ?? before
    const perform = (operation: string, asContract: string, inner: Args) => {
      const change = admitCall(world, { operation, caller: asContract, ...(taskId && { taskId }), args: inner })
      if (typeof change === 'string') throw new RefusedError(change)
      change(world)
    }
    return { world, task, before: task === before ? copyTask(before) : before, caller, args, perform }
  }

  return (world, call) => {
    const change = admitCall(world, call)
    if (typeof change === 'string') return { error: change }
    const own = copyWorld(world, call.taskId)
    try {
      change(own)
    } catch (error) {
      if (error instanceof RefusedError) return { error: error.message }
      throw error
    }
    return { world: own }
  }
}

/** The task that `post` or `create` would store. */
function taskToBe({ caller, args = {} }: Call): Task | undefined {
  return args.terms && newTask(args.terms, args.poster ?? caller)
}

/** The other contract refused a call within the step, so the whole step is undone. */
class RefusedError extends Error {
  override name = 'RefusedError'
}
