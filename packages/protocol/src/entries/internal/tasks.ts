export { findClaimEnd } from '../../tasks/claimable.ts'
export type {
  DisputeEffect,
  DisputeFacts,
  DisputeGuard,
  DisputeGuardName,
  DisputeMove,
  DisputeSituation,
} from '../../tasks/disputes.ts'
export { buildDisputeRules, buildTaskRules, evaluate, type RuleSet, type TransitionRow } from '../../tasks/evaluate.ts'
export {
  type AccountFacts,
  type CallFacts,
  type Guard,
  type GuardName,
  noticeTime,
  type Situation,
} from '../../tasks/guards.ts'
export type { Effect, EntryEffect, Move } from '../../tasks/lifecycle.ts'
export { pauseRule } from '../../tasks/pausing.ts'
export { findPhaseEnd } from '../../tasks/phase.ts'
export type { SearchFilter, SearchPosition, SearchQuery, SearchSort } from '../../tasks/search.ts'
export { maxRanked, searchSorts } from '../../tasks/search.ts'
export { claimPolicyLabels, liveStates, type TaskScope } from '../../tasks/states.ts'
export { areTags } from '../../tasks/tagRules.ts'
export { toDisputeFacts, toTaskFacts } from '../../tasks/taskContext.ts'
export { taskId } from '../../tasks/taskIdSchema.ts'
export { maxTextBytes, maxTitleLength, tags, taskText } from '../../tasks/taskText.ts'
