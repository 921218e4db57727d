export { listAffectedEntities } from '../../fold/affectedEntities.ts'
export { createAgentRecord } from '../../fold/agent.ts'
export { applyEvent, type Entities, type EntityKind } from '../../fold/applyEvent.ts'
export { createArbitratorRecord } from '../../fold/arbitrator.ts'
export { completeEvent, findRequiredEntity } from '../../fold/completeEvent.ts'
export { applyDispute } from '../../fold/dispute.ts'
export type { EventFacts, MarketEvents } from '../../fold/event.ts'
export { MissingEntityError } from '../../fold/eventHandlers.ts'
export { createEntriesRecord, toSunsetTime } from '../../fold/marketEntries.ts'
export { deriveMilestoneState } from '../../fold/milestones.ts'
export { canonicalizeRecord, parseEntity, serializeEntity } from '../../fold/serializeEntity.ts'
export { applyTask, extractTaskTerms, type FoldedTask } from '../../fold/task.ts'
export {
  computeMedian,
  computeTrackRecord,
  type TrackedDispute,
  type TrackRecord,
  trackRecordEvents,
} from '../../fold/trackRecord.ts'
export { accrueUnion, createUnionRecord } from '../../fold/union.ts'
