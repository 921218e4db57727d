import { type Address, getAddress, zeroAddress } from 'viem'
import { type AnyAction, deriveInput, listInputFields } from '../actions/action.ts'
import { type Cost, computeCost, findCaseOperation } from '../actions/cost.ts'
import { actionList } from '../actions/index.ts'
import { bps } from '../money/amounts.ts'
import { marketParams } from '../money/params.ts'
import {
  type DisputeFacts,
  type DisputeSituation,
  type DisputeTransition,
  disputeGuards,
  disputes,
} from '../tasks/disputes.ts'
import {
  buildDisputeRules,
  buildTaskRules,
  evaluate,
  type FailedGuard,
  findDeadline,
  findStart,
  listFailedGuards,
  type RuleSet,
  type TransitionRow,
} from '../tasks/evaluate.ts'
import { guards, type Situation } from '../tasks/guards.ts'
import { lifecycle, type Transition } from '../tasks/lifecycle.ts'
import type { TaskContext } from '../tasks/taskContext.ts'

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
  /** The first moment for it, in unix seconds; null if it did not have to wait. */
  since: number | null
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
  return actionList.flatMap((action) => findNextStep(action, context, wallet, now) ?? [])
}

/**
 * Finds the step that an action takes on a task at `now` (unix seconds), with the fields of the input that are known. A share
 * or an amount that the caller chooses can lead to another transition. Returns null if the chain would refuse it.
 *
 * @example
 * ```ts
 * const step = findNextStep(actions['submit-evidence'], context, wallet, now, { shareBps: 0n })
 * ```
 */
export function findNextStep(
  action: AnyAction,
  context: TaskContext,
  wallet: Address,
  now: number,
  input: Record<string, unknown> = {},
): NextStep | null {
  const { operation } = action
  if (!operation || !('taskId' in action.input.shape)) return null
  const caller = getAddress(wallet)
  const derived: Record<string, unknown> = { taskId: context.taskId, ...deriveInput(action, context, caller) }
  const call = { ...derived, ...input }
  const step =
    'task' in operation
      ? evaluateStep(taskRules, operation.task, context.task.state, () => buildSituation(context, caller, now, call))
      : evaluateStep(disputeRules, operation.dispute, context.dispute?.phase ?? 'NONE', () =>
          buildDisputeSituation(context, caller, now, call),
        )
  if (!step) return null
  const caseRow = findCaseRow(step.row, context, now)
  if (caseRow === null) return null
  const required = [
    ...listInputFields(action).flatMap(({ name, isOptional }) => (isOptional || name in derived ? [] : [name])),
    ...(action.required?.(context, caller) ?? []),
  ]
  const cost = computeCost(action, call, { from: caller, row: step.row, ...(caseRow && { caseRow }), context })
  return { action, derived, required, cost, ...step }
}

/** Finds what a row does to the case: undefined if nothing, null if the case does not allow it, as after a ruling. */
function findCaseRow(row: Transition | DisputeTransition, context: TaskContext, now: number) {
  const operation = findCaseOperation(row)
  if (!operation) return undefined
  const result = evaluate(disputeRules, operation, context.dispute?.phase ?? 'NONE', () =>
    buildDisputeSituation(context, 'registry', now, {}),
  )
  return typeof result === 'string' ? null : result.row
}

function evaluateStep<R extends TransitionRow, S>(
  rules: RuleSet<R, S>,
  operation: string,
  from: string,
  look: () => S,
) {
  const allowed = evaluate(rules, operation, from, look)
  if (typeof allowed === 'string') return null
  return { row: allowed.row, since: findStart(rules, allowed), until: findDeadline(rules, allowed) }
}

/**
 * Lists what is due on a task at `now` (unix seconds): the actions that anyone may take and that need no input beyond the
 * task, the one that closes first in front.
 *
 * @example
 * ```ts
 * for (const { action, derived } of listDueSteps(buildTaskContext(id, task, dispute), now)) console.log(action.name, derived)
 * ```
 */
export function listDueSteps(context: TaskContext, now: number): NextStep[] {
  // The zero address has no role, so only rows for anyone are left. It has no money, and no context has read it.
  const account = (wallet: string) => (wallet === zeroAddress ? noMoney : context.account(wallet))
  return listNextSteps({ ...context, account }, zeroAddress, now)
    .filter(({ row, required }) => row.by === 'anyone' && required.length === 0)
    .toSorted((a, b) => (a.until ?? Number.POSITIVE_INFINITY) - (b.until ?? Number.POSITIVE_INFINITY))
}

const noMoney = { deposit: 0n, free: 0n, tok: 0n, credits: 0n }

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
            buildDisputeSituation(context, caller, now, derived),
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

/** The situation of a call with these fields of its input, and every other one as it must be. */
export function buildSituation(
  context: TaskContext,
  caller: string,
  now: number,
  input: Record<string, unknown>,
): Situation {
  const { task, taskId, entriesPaused, sunsetAt, finalCourt, account } = context
  const {
    amountTokWei = 0n,
    shareBps = caller === task.poster ? 0n : bps,
    receipt,
  } = input as {
    amountTokWei?: bigint
    shareBps?: bigint
    receipt?: unknown
  }
  // A second delivery must bring a receipt; a first one may come without.
  const isReceipted = receipt !== undefined || (task.store !== null && task.reviewEnd !== 0)
  return {
    now,
    params: marketParams[taskId.market],
    entriesPaused,
    sunsetAt,
    task,
    caller,
    finalCourt,
    account,
    call: {
      milestone: task.current,
      hashGiven: true,
      amount: amountTokWei,
      workerBps: 0n,
      shareBps,
      receipt: isReceipted ? 'valid' : 'none',
      worker: caller,
      digestMatches: true,
      permitted: true,
      signed: true,
    },
  }
}

/** The same for a dispute. */
export function buildDisputeSituation(
  context: TaskContext,
  caller: string,
  now: number,
  input: Record<string, unknown>,
): DisputeSituation {
  const { account, canTakeCase, finalCourt } = context
  const dispute = context.dispute as DisputeFacts
  const {
    arbitrator = null,
    round,
    shareBps,
    forWorker = false,
  } = input as {
    arbitrator?: string
    round?: bigint
    shareBps?: bigint
    forWorker?: boolean
  }
  return {
    now,
    dispute,
    caller,
    finalCourt,
    call: {
      arbitrator,
      number: round === undefined ? dispute.number : Number(round),
      shareBps: shareBps ?? (caller === dispute.poster ? dispute.offerBps : dispute.askBps),
      forWorker,
      hashGiven: true,
    },
    canTakeCase,
    free: (wallet) => account(wallet).free,
  }
}
