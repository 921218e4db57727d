import type { DisputePhase, TaskPhase, TaskState } from '@svc/protocol'

/** What pages call each phase of a task. */
export const phaseLabels: Readonly<Record<TaskPhase, string>> = {
  OPEN_FOR_CLAIM: 'Open',
  CLAIM_CLOSED: 'Claims closed',
  AWAITING_FUNDS: 'Claimed, awaiting funds',
  READY_TO_START: 'Claimed',
  CLAIM_LAPSED: 'Claim lapsed',
  WORKING: 'In progress',
  UNDER_NOTICE: 'Ending',
  IN_REVIEW: 'In review',
  REVIEW_LAPSED: 'Ready to be paid',
  RECEIPT_MISSING: 'Receipt missing',
  OVERDUE: 'Overdue',
  IN_DISPUTE: 'In dispute',
  SETTLED: 'Ended',
}

const endLabels: Readonly<Partial<Record<TaskState, string>>> = {
  COMPLETED: 'Paid',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Expired',
  RESOLVED: 'Decided in a dispute',
}

/** Formats where a task stands, in a word or two: how it ended, or else its phase. */
export const formatTaskStatus = ({ phase, state }: { phase: TaskPhase; state: TaskState }): string =>
  endLabels[state] ?? phaseLabels[phase]

const disputeLabels: Readonly<Record<DisputePhase, string>> = {
  NONE: 'No dispute',
  OPEN: 'Waiting for a judge',
  EVIDENCE: 'Waiting for the ruling',
  RULED: 'Ruled, can be appealed',
  COURT: 'Waiting for the final court',
  CLOSED: 'Ended',
}

/** Formats what a dispute waits for, in a few words, at a time in unix seconds. Nobody rules before the evidence is in. */
export function formatDisputeStatus(
  { phase, evidenceEnd }: { phase: DisputePhase; evidenceEnd: number | null },
  now: number,
): string {
  const isHeard = phase === 'EVIDENCE' && evidenceEnd !== null && now <= evidenceEnd
  return isHeard ? 'Waiting for evidence' : disputeLabels[phase]
}
