export { type CourtCase, courtUrgency, sortCourtCases, toCourtCase } from '../../steps/courtCases.ts'
export { findInboxEntry, inboxRoles } from '../../steps/inbox.ts'
export { type BlockedAction, findNextStep, listDueSteps } from '../../steps/nextSteps.ts'
export { findNextMoment, listPendingActions } from '../../steps/pendingActions.ts'
