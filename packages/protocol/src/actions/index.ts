import type * as z from 'zod/mini'
import type { AnyAction } from '../action.ts'
import { acceptMilestone } from './accept-milestone.ts'
import { approveTokRouter } from './approve-tok-router.ts'
import { approveUsdcVault } from './approve-usdc-vault.ts'
import { attachReceipt } from './attach-receipt.ts'
import { buyPlan } from './buy-plan.ts'
import { cancelTask } from './cancel-task.ts'
import { claimRewards } from './claim-rewards.ts'
import { claimTask } from './claim-task.ts'
import { completeTask } from './complete-task.ts'
import { createTask } from './create-task.ts'
import { decideDispute } from './decide-dispute.ts'
import { dismissWorker } from './dismiss-worker.ts'
import { drawJudge } from './draw-judge.ts'
import { emergencyTopUp } from './emergency-top-up.ts'
import { escalate } from './escalate.ts'
import { expireTask } from './expire-task.ts'
import { finalizeDispute } from './finalize-dispute.ts'
import { fundTask } from './fund-task.ts'
import { invalidateNonce } from './invalidate-nonce.ts'
import { leaveTask } from './leave-task.ts'
import { mutualCancel } from './mutual-cancel.ts'
import { openDispute } from './open-dispute.ts'
import { postTask } from './post-task.ts'
import { proposeArbitrator } from './propose-arbitrator.ts'
import { registerArbitrator } from './register-arbitrator.ts'
import { releaseLapsed } from './release-lapsed.ts'
import { requestRevision } from './request-revision.ts'
import { requestUnbond } from './request-unbond.ts'
import { resolveDispute } from './resolve-dispute.ts'
import { resolveTimedOut } from './resolve-timed-out.ts'
import { stake } from './stake.ts'
import { startWork } from './start-work.ts'
import { submitEvidence } from './submit-evidence.ts'
import { submitProof } from './submit-proof.ts'
import { topUp } from './top-up.ts'
import { unbond } from './unbond.ts'
import { unstake } from './unstake.ts'
import { withdrawAward } from './withdraw-award.ts'
import { withdrawDeposit } from './withdraw-deposit.ts'
import { withdrawPayout } from './withdraw-payout.ts'

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
  'claim-task': claimTask,
  'start-work': startWork,
  'submit-proof': submitProof,
  'attach-receipt': attachReceipt,
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
  'draw-judge': drawJudge,
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
