import { type Address, getAddress } from 'viem'
import { type AnyAction, deriveInput, listInputFields } from './action.ts'
import { actionList } from './actions/index.ts'
import { type Cost, computeCost } from './cost.ts'
import {
  type DisputeFacts,
  type DisputeSituation,
  type DisputeTransition,
  disputeGuards,
  disputes,
} from './disputes.ts'
import {
  buildDisputeRules,
  buildTaskRules,
  evaluate,
  findDeadline,
  type RuleSet,
  type TransitionRow,
} from './evaluate.ts'
import { guards, type Situation } from './guards.ts'
import { lifecycle, type Transition } from './lifecycle.ts'
import { marketParams } from './params.ts'
import type { TaskContext } from './taskContext.ts'

/** An action that a wallet can take on a task now. */
export interface NextStep {
  action: AnyAction
  /** The transition it takes: where it leads and what it moves. */
  row: Transition | DisputeTransition
  /** The fields of the input that follow from the task, as exact values. */
  derived: Record<string, unknown>
  /** The fields that the caller must provide: a hash, a digest, a signature, a share. */
  required: string[]
  cost: Cost
  /** The last moment for it, in unix seconds; null if it has no limit of its own. */
  until: number | null
}

const taskRules = /*#__PURE__*/ buildTaskRules({ lifecycle, guards })
const disputeRules = /*#__PURE__*/ buildDisputeRules({ disputes, disputeGuards })

/**
 * Lists what a wallet may do with a task at `now` (unix seconds): the actions whose operation the tables allow, provided
 * that the caller gives the required fields. Exact: the chain refuses everything that is not in the list.
 *
 * @example
 * ```ts
 * for (const { action, until } of listNextSteps(context, wallet, now)) console.log(action.verb, until)
 * ```
 */
export function listNextSteps(context: TaskContext, wallet: Address, now: number): NextStep[] {
  const caller = getAddress(wallet)
  return actionList.flatMap((action) => {
    const { operation } = action
    if (!operation || !('taskId' in action.input.shape)) return []
    const derived: Record<string, unknown> = { taskId: context.taskId, ...deriveInput(action, context, caller) }
    const step =
      'task' in operation
        ? evaluateStep(taskRules, operation.task, context.task.state, () =>
            buildSituation(context, caller, now, derived),
          )
        : evaluateStep(disputeRules, operation.dispute, context.dispute?.phase ?? 'NONE', () =>
            buildDisputeSituation(context, caller, now),
          )
    if (!step) return []
    const required = [
      ...listInputFields(action).flatMap(({ name, isOptional }) => (isOptional || name in derived ? [] : [name])),
      ...(action.required?.(context) ?? []),
    ]
    const cost = computeCost(action, derived, {
      from: caller,
      row: step.row,
      tier: context.dispute?.tier ?? 0,
      reserved: caller === context.task.poster ? context.task.posterReserve : 0n,
    })
    return [{ action, row: step.row, derived, required, cost, until: step.until }]
  })
}

function evaluateStep<R extends TransitionRow, S>(
  rules: RuleSet<R, S>,
  operation: string,
  from: string,
  look: () => S,
) {
  const allowed = evaluate(rules, operation, from, look)
  return typeof allowed === 'string' ? null : { row: allowed.row, until: findDeadline(rules, allowed) }
}

/** The situation of a call that gives every required field. */
export function buildSituation(
  context: TaskContext,
  caller: string,
  now: number,
  derived: Record<string, unknown>,
): Situation {
  const { task, taskId, entriesPaused, account } = context
  return {
    now,
    params: marketParams[taskId.market],
    entriesPaused,
    task,
    caller,
    account,
    call: {
      milestone: task.current,
      hashGiven: true,
      amount: (derived.amountTokWei as bigint | undefined) ?? 0n,
      workerBps: 0n,
      worker: caller,
      digestMatches: true,
      permitted: true,
      signed: true,
    },
  }
}

/** The same for a dispute. */
export function buildDisputeSituation(context: TaskContext, caller: string, now: number): DisputeSituation {
  const { dispute, candidate, draw, account, somebodyBonded } = context
  return {
    now,
    dispute: dispute as DisputeFacts,
    caller,
    call: {
      arbitrator: candidate,
      panel: draw === 'empty' ? [] : draw === 'known' && candidate ? [candidate] : null,
      drawPending: draw === 'pending',
      workerBps: 0n,
      hashGiven: true,
    },
    maySit: (wallet) => wallet === candidate,
    somebodyBonded,
    free: (wallet) => account(wallet).free,
  }
}
