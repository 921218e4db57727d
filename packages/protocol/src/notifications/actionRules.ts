import type { ActionName } from '../actions/index.ts'
import type { EventKind } from '../fold/event.ts'

/** The events that tell others of an action, or why nobody needs to be told. */
export type ActionRule = { toldBy: readonly [EventKind, ...EventKind[]] } | { silent: string }

const own = { silent: 'It concerns only the wallet that does it.' }
const toldBy = (...kinds: [EventKind, ...EventKind[]]): ActionRule => ({ toldBy: kinds })

/** How others hear of each action. A missing row is a type error; a test compares the events with the rules. */
export const actionRules: { readonly [name in ActionName]: ActionRule } = {
  'approve-usdc-vault': own,
  'approve-tok-router': own,
  'top-up': own,
  'emergency-top-up': own,
  'withdraw-deposit': own,
  'post-task': { silent: 'Saved searches and feeds show new tasks.' },
  'create-task': toldBy('taskRegistry.TaskCreated'),
  'fund-task': toldBy('escrowVault.Funded'),
  'claim-task': toldBy('taskRegistry.TaskClaimed'),
  'start-work': toldBy('taskRegistry.TaskActivated'),
  'submit-proof': toldBy('taskRegistry.MilestoneDelivered'),
  'attach-receipt': { silent: 'The delivery was told before; reminders follow the new end of the review.' },
  'request-revision': toldBy('taskRegistry.RevisionRequested'),
  'accept-milestone': toldBy('taskRegistry.MilestoneReleased'),
  'release-lapsed': toldBy('taskRegistry.MilestoneReleased'),
  'complete-task': toldBy('taskRegistry.TaskCompleted'),
  'cancel-task': { silent: 'The task has no worker yet.' },
  'leave-task': toldBy('taskRegistry.WorkerLeft'),
  'dismiss-worker': toldBy('taskRegistry.WorkerDismissed'),
  'expire-task': toldBy('taskRegistry.TaskExpired'),
  'mutual-cancel': toldBy('taskRegistry.TaskMutuallyCancelled'),
  'withdraw-payout': own,
  'invalidate-nonce': own,
  'open-dispute': toldBy('arbitration.CaseOpened'),
  'propose-arbitrator': toldBy('arbitration.ArbitratorProposed', 'arbitration.JudgeSeated'),
  'draw-judge': toldBy('arbitration.JudgeSeated', 'arbitration.CourtCalled'),
  'submit-evidence': toldBy('arbitration.EvidenceSubmitted'),
  'resolve-dispute': toldBy('arbitration.Ruled'),
  escalate: toldBy('arbitration.Escalated'),
  'decide-dispute': toldBy('arbitration.Decided'),
  'finalize-dispute': toldBy('taskRegistry.TaskResolved'),
  'resolve-timed-out': toldBy('arbitration.CourtCalled', 'taskRegistry.TaskResolved'),
  'register-arbitrator': own,
  'request-unbond': own,
  unbond: own,
  'withdraw-award': own,
  'buy-plan': own,
  stake: own,
  unstake: own,
  'claim-rewards': own,
}
