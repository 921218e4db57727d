import type * as z from 'zod/mini'
import type { AnyAction } from './action.ts'
import { registerArbitrator, requestUnbond, unbond, withdrawAward } from './arbitrators.ts'
import { approveTokRouter, approveUsdcVault, emergencyTopUp, topUp, withdrawDeposit } from './deposits.ts'
import {
  decideDispute,
  escalate,
  finalizeDispute,
  openDispute,
  proposeArbitrator,
  resolveDispute,
  resolveTimedOut,
  stepDown,
  submitEvidence,
} from './disputes.ts'
import { allowWorker, buyPlan, claimTask, createTask, fundTask, postTask, startWork } from './entry.ts'
import {
  cancelTask,
  completeTask,
  dismissWorker,
  expireTask,
  invalidateNonce,
  leaveTask,
  mutualCancel,
  withdrawPayout,
} from './exits.ts'
import { buyTok, sellTok } from './swaps.ts'
import { claimRewards, stake, unstake } from './union.ts'
import { acceptMilestone, releaseLapsed, requestRevision, submitProof } from './work.ts'

/** Every write action, by its name on the wire, in the order in which a newcomer meets them. */
export const actions = {
  'approve-usdc-vault': approveUsdcVault,
  'approve-tok-router': approveTokRouter,
  'top-up': topUp,
  'emergency-top-up': emergencyTopUp,
  'withdraw-deposit': withdrawDeposit,
  'post-task': postTask,
  'create-task': createTask,
  'fund-task': fundTask,
  'allow-worker': allowWorker,
  'claim-task': claimTask,
  'start-work': startWork,
  'submit-proof': submitProof,
  'request-revision': requestRevision,
  'accept-milestone': acceptMilestone,
  'release-lapsed': releaseLapsed,
  'complete-task': completeTask,
  'cancel-task': cancelTask,
  'leave-task': leaveTask,
  'dismiss-worker': dismissWorker,
  'expire-task': expireTask,
  'mutual-cancel': mutualCancel,
  'withdraw-payout': withdrawPayout,
  'invalidate-nonce': invalidateNonce,
  'open-dispute': openDispute,
  'propose-arbitrator': proposeArbitrator,
  'step-down': stepDown,
  'submit-evidence': submitEvidence,
  'resolve-dispute': resolveDispute,
  escalate,
  'decide-dispute': decideDispute,
  'finalize-dispute': finalizeDispute,
  'resolve-timed-out': resolveTimedOut,
  'register-arbitrator': registerArbitrator,
  'request-unbond': requestUnbond,
  unbond,
  'withdraw-award': withdrawAward,
  'buy-plan': buyPlan,
  stake,
  unstake,
  'claim-rewards': claimRewards,
  'buy-tok': buyTok,
  'sell-tok': sellTok,
} as const

export type ActionName = keyof typeof actions
/** The input of an action, as exact values. */
export type ActionInput<N extends ActionName> = z.output<(typeof actions)[N]['input']>
/** The input of an action, as JSON. */
export type ActionInputJson<N extends ActionName> = z.input<(typeof actions)[N]['input']>

type DerivedField<A> = A extends { derive?: infer D } ? keyof NonNullable<D> : never
type MakeOptional<T, K> = Omit<T, K & keyof T> & Partial<Pick<T, K & keyof T>>
/** What preparing an action takes: fields that follow from the task may be left out. */
export type PrepareInput<N extends ActionName> = MakeOptional<ActionInputJson<N>, DerivedField<(typeof actions)[N]>>

/** The inputs of all actions, by name. */
export type ActionInputs = { [K in ActionName]: ActionInput<K> }
/** An action with its input. `switch (call.name)` narrows `call.input`. */
export type ActionCall<N extends ActionName = ActionName> = { [K in N]: { name: K; input: ActionInputs[K] } }[N]

/** The same table for loops. */
export const actionList: readonly AnyAction[] = /*#__PURE__*/ Object.values(actions)

/** Whether an action has this name. */
export const isActionName = (name: string): name is ActionName => Object.hasOwn(actions, name)

/**
 * Finds an action by its name; undefined if there is none.
 *
 * @example
 * ```ts
 * findAction('claim-task')?.explain
 * ```
 */
export const findAction = (name: string): AnyAction | undefined => (isActionName(name) ? actions[name] : undefined)
