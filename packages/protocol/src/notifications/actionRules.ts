import type { ActionName } from '../actions/index.ts'
import type { EventKind } from '../fold/event.ts'

/** The events that notify others of an action, or why nobody needs to be notified. */
export type ActionRule = { events: readonly [EventKind, ...EventKind[]] } | { silent: string }

const own = { silent: 'It concerns only the wallet that does it.' }
const notifiedBy = (...events: [EventKind, ...EventKind[]]): ActionRule => ({ events })

/** How others hear of each action. A missing row is a type error; a test compares the events with the rules. */
export const actionRules: { readonly [name in ActionName]: ActionRule } = {
  'approve-usdc-vault': own,
  'approve-tok-router': own,
  'top-up': own,
  'emergency-top-up': own,
  'withdraw-deposit': own,
  'post-task': { silent: 'Saved searches and feeds show new tasks.' },
  'create-task': notifiedBy('taskRegistry.TaskCreated'),
  'fund-task': notifiedBy('escrowVault.Funded'),
  'allow-worker': notifiedBy('taskRegistry.WorkerAllowed'),
  'claim-task': notifiedBy('taskRegistry.TaskClaimed'),
  'start-work': notifiedBy('taskRegistry.TaskActivated'),
  'submit-proof': notifiedBy('taskRegistry.MilestoneDelivered'),
  'request-revision': notifiedBy('taskRegistry.RevisionRequested'),
  'accept-milestone': notifiedBy('taskRegistry.MilestoneReleased'),
  'release-lapsed': notifiedBy('taskRegistry.MilestoneReleased'),
  'complete-task': notifiedBy('taskRegistry.TaskCompleted'),
  'cancel-task': { silent: 'The task has no worker yet.' },
  'leave-task': notifiedBy('taskRegistry.WorkerLeft'),
  'dismiss-worker': notifiedBy('taskRegistry.WorkerDismissed', 'taskRegistry.NoticeGiven'),
  'expire-task': notifiedBy('taskRegistry.TaskExpired'),
  'mutual-cancel': notifiedBy('taskRegistry.TaskMutuallyCancelled'),
  'withdraw-payout': own,
  'invalidate-nonce': own,
  'open-dispute': notifiedBy('arbitration.CaseOpened'),
  'propose-arbitrator': notifiedBy('arbitration.ArbitratorProposed', 'arbitration.JudgeSeated'),
  'step-down': notifiedBy('arbitration.JudgeSteppedDown'),
  'submit-evidence': notifiedBy('arbitration.EvidenceSubmitted'),
  'resolve-dispute': notifiedBy('arbitration.Ruled'),
  escalate: notifiedBy('arbitration.Escalated'),
  'decide-dispute': notifiedBy('arbitration.Decided'),
  'finalize-dispute': notifiedBy('taskRegistry.TaskResolved'),
  'resolve-timed-out': notifiedBy('arbitration.CourtCalled', 'taskRegistry.TaskResolved'),
  'register-arbitrator': own,
  'request-unbond': own,
  unbond: own,
  'withdraw-award': own,
  'buy-plan': own,
  stake: own,
  unstake: own,
  'claim-rewards': own,
  'buy-tok': own,
  'sell-tok': own,
}
