import type { TaskPhase } from '@svc/protocol'

/** Labels of the phases. */
export const phaseWords: Readonly<Record<TaskPhase, string>> = {
  OPEN_FOR_CLAIM: 'Claimable',
  CLAIM_CLOSED: 'Claims closed',
  AWAITING_FUNDS: 'Waits for money',
  READY_TO_START: 'Ready to start',
  WORKING: 'In work',
  IN_REVIEW: 'In review',
  REVIEW_LAPSED: 'Review is over',
  RECEIPT_MISSING: 'Receipt is missing',
  OVERDUE: 'Overdue',
  IN_DISPUTE: 'Disputed',
  SETTLED: 'Settled',
}
