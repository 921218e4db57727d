import type { AnyAction } from '../action.ts'
import { acceptMilestone } from './accept-milestone.ts'
import { approveTokRouter } from './approve-tok-router.ts'
import { approveUsdcVault } from './approve-usdc-vault.ts'
import { buyPlan } from './buy-plan.ts'
import { cancelTask } from './cancel-task.ts'
import { claimRewards } from './claim-rewards.ts'
import { claimTask } from './claim-task.ts'
import { completeTask } from './complete-task.ts'
import { createTask } from './create-task.ts'
import { dismissWorker } from './dismiss-worker.ts'
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
import { seatPanel } from './seat-panel.ts'
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

/** Every write a wallet can make, in the order in which a newcomer meets them. */
export const actions: readonly AnyAction[] = [
  approveUsdcVault,
  approveTokRouter,
  topUp,
  emergencyTopUp,
  withdrawDeposit,
  postTask,
  createTask,
  fundTask,
  claimTask,
  startWork,
  submitProof,
  requestRevision,
  acceptMilestone,
  releaseLapsed,
  completeTask,
  cancelTask,
  leaveTask,
  dismissWorker,
  expireTask,
  mutualCancel,
  withdrawPayout,
  invalidateNonce,
  openDispute,
  proposeArbitrator,
  seatPanel,
  submitEvidence,
  resolveDispute,
  escalate,
  finalizeDispute,
  resolveTimedOut,
  registerArbitrator,
  requestUnbond,
  unbond,
  withdrawAward,
  buyPlan,
  stake,
  unstake,
  claimRewards,
]
