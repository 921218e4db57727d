/** Where a task stands, in a word or two. */
export const stateText = {
  phases: {
    OPEN_FOR_CLAIM: 'Open',
    CLAIM_CLOSED: 'Claims closed',
    AWAITING_FUNDS: 'Claimed, awaiting funds',
    READY_TO_START: 'Claimed',
    WORKING: 'In progress',
    IN_REVIEW: 'In review',
    REVIEW_LAPSED: 'Ready to be paid',
    RECEIPT_MISSING: 'Receipt missing',
    OVERDUE: 'Overdue',
    IN_DISPUTE: 'In dispute',
    SETTLED: 'Ended',
  },
  ends: { COMPLETED: 'Paid', CANCELLED: 'Cancelled', EXPIRED: 'Expired', RESOLVED: 'Decided in a dispute' },
} as const
