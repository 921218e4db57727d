export { computeClaimableUntil } from '../tasks/claimable.ts'
export { type DisputeTransition, disputeConditions, disputeGuards, disputeRoles, disputes } from '../tasks/disputes.ts'
export { guards } from '../tasks/guards.ts'
export { conditions, lifecycle, onEnter, roles, type Transition } from '../tasks/lifecycle.ts'
