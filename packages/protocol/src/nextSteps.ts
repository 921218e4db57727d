import { type Address, getAddress } from 'viem'
import type { AnyAction } from './action.ts'
import { actions } from './actions/index.ts'
import { admit, disputeRules, type Row, type Rules, taskRules, untilOf } from './admit.ts'
import { type Cost, costOf } from './cost.ts'
import {
  type DisputeFacts,
  type DisputeSituation,
  type DisputeTransition,
  disputeGuards,
  disputes,
} from './disputes.ts'
import { guards, type Situation } from './guards.ts'
import { lifecycle, type Transition } from './lifecycle.ts'
import { marketParams } from './params.ts'
import type { Standing } from './standing.ts'

/** Something a wallet can do with a task now. */
export interface NextStep {
  action: AnyAction
  /** The row of the tables it goes by: where it leads and what it moves. */
  row: Transition | DisputeTransition
  /** The part of the input that the task answers, as exact values. */
  known: Record<string, unknown>
  /** What the wallet brings: a hash, a digest, a signature, a share. */
  needs: string[]
  cost: Cost
  /** The last moment for it, in unix seconds; null when no limit of its own applies. */
  until: number | null
}

const tasks = /*#__PURE__*/ taskRules({ lifecycle, guards })
const cases = /*#__PURE__*/ disputeRules({ disputes, disputeGuards })

/**
 * What this wallet may do with this task at `now` (unix seconds): the actions whose operation the tables admit, given the
 * input that the step names as needed. Exact: what is not here is refused by the chain.
 */
export function nextSteps(standing: Standing, wallet: Address, now: number): NextStep[] {
  const caller = getAddress(wallet)
  return actions.flatMap((action) => {
    const { operation } = action
    if (!operation || !('taskId' in action.input.shape)) return []
    const known: Record<string, unknown> = { taskId: standing.taskId, ...action.known?.(standing, caller) }
    const step =
      'task' in operation
        ? judge(tasks, operation.task, standing.task.state, () => situation(standing, caller, now, known))
        : judge(cases, operation.dispute, standing.dispute?.phase ?? 'NONE', () =>
            disputeSituation(standing, caller, now),
          )
    if (!step) return []
    const needs = [...required(action).filter((name) => !(name in known)), ...(action.needs?.(standing) ?? [])]
    const cost = costOf(action, known, {
      from: caller,
      row: step.row,
      tier: standing.dispute?.tier ?? 0,
      reserved: caller === standing.task.poster ? standing.task.posterReserve : 0n,
    })
    return [{ action, row: step.row, known, needs, cost, until: step.until }]
  })
}

function judge<R extends Row, S>(rules: Rules<R, S>, operation: string, from: string, look: () => S) {
  const admitted = admit(rules, operation, from, look)
  return typeof admitted === 'string' ? null : { row: admitted.row, until: untilOf(rules, admitted) }
}

/** The names of an action's input that are not optional. */
function required({ input }: AnyAction): string[] {
  return Object.entries(input.shape as Record<string, { _zod: { optin?: string } }>)
    .filter(([, schema]) => schema._zod.optin !== 'optional')
    .map(([name]) => name)
}

/** A call that brings everything the step needs. */
function situation(standing: Standing, caller: string, now: number, known: Record<string, unknown>): Situation {
  const { task, taskId, entriesPaused, account } = standing
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
      amount: (known.amountTokWei as bigint | undefined) ?? 0n,
      workerBps: 0n,
      worker: caller,
      digestMatches: true,
      permitted: true,
      signed: true,
    },
  }
}

function disputeSituation(standing: Standing, caller: string, now: number): DisputeSituation {
  const { dispute, candidate, draw, account, somebodyBonded } = standing
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
