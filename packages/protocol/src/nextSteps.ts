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
  type FailedGuard,
  findDeadline,
  listFailedGuards,
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

/** An action that a wallet could take on a task if a rule did not forbid it now. */
export interface BlockedAction extends FailedGuard {
  action: AnyAction
}

/** The most entries of a list of blocked actions. */
const maxBlocked = 4

/**
 * Lists what keeps a wallet from acting on a task at `now` (unix seconds), and what would change that: money, an action of a
 * party, or time. If the wallet can do something else meanwhile, only rules that can still be satisfied are listed.
 *
 * @example
 * ```ts
 * for (const { action, rule, cure } of listBlockedActions(context, wallet, now)) console.log(action.name, rule, cure?.action)
 * ```
 */
export function listBlockedActions(context: TaskContext, wallet: Address, now: number): BlockedAction[] {
  const caller = getAddress(wallet)
  const canAct = listNextSteps(context, wallet, now).length > 0
  const found = actionList.flatMap((action) => {
    const { operation } = action
    if (!operation || !('taskId' in action.input.shape)) return []
    const derived = deriveInput(action, context, caller)
    const result =
      'task' in operation
        ? listFailedGuards(taskRules, operation.task, context.task.state, () =>
            buildSituation(context, caller, now, derived),
          )
        : listFailedGuards(disputeRules, operation.dispute, context.dispute?.phase ?? 'NONE', () =>
            buildDisputeSituation(context, caller, now),
          )
    if (!result) return []
    const { row, failed } = result
    // A rule without a remedy makes the others pointless.
    const dead = failed.find((guard) => !isCurable(guard))
    const entries = (dead ? [dead] : mergeCures(failed)).map((guard) => ({ action, ...guard }))
    return [{ isOwn: row.by !== 'anyone', isCurable: !dead, entries }]
  })
  // What anyone may do later, and what is over, only helps a wallet that has nothing else to do.
  const hasRole = caller === context.task.poster || caller === context.task.worker
  // A wallet without a role came to claim, so it always learns why it cannot.
  const isShown = (each: (typeof found)[number]) => each.isOwn && (each.isCurable || !hasRole)
  const rest = canAct ? [] : found.filter((each) => !isShown(each)).toSorted((a, b) => +b.isCurable - +a.isCurable)
  return [...found.filter(isShown), ...rest].flatMap(({ entries }) => entries).slice(0, maxBlocked)
}

const isCurable = ({ waitUntil, amount, cure }: FailedGuard) => waitUntil !== null || Boolean(amount ?? cure)

/** Keeps one of several rules that the same action cures: the one that lacks most. */
function mergeCures(failed: readonly FailedGuard[]): FailedGuard[] {
  const missing = ({ amount }: FailedGuard) => (amount ? amount.need - amount.have : 0n)
  const isSame = (a: FailedGuard, b: FailedGuard) =>
    Boolean(a.cure) && a.cure?.action === b.cure?.action && a.cure?.by === b.cure?.by
  return failed.filter(
    (each, index) =>
      !failed.some(
        (other, at) =>
          at !== index &&
          isSame(each, other) &&
          (missing(other) > missing(each) || (missing(other) === missing(each) && at < index)),
      ),
  )
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
