export { type EntityKey, entityKeys, listAffectedEntities } from '../fold/affectedEntities.ts'
export { applyAgent, createAgentRecord } from '../fold/agent.ts'
export {
  applyEvent,
  type Entities,
  type Entity,
  type EntityKind,
  type EntityStore,
  foldEvent,
} from '../fold/applyEvent.ts'
export { applyArbitrator, createArbitratorRecord } from '../fold/arbitrator.ts'
export { completeEvent, findRequiredEntity, type ReadEntity } from '../fold/completeEvent.ts'
export { decodeLog, type RawLog } from '../fold/decodeLog.ts'
export { applyDispute } from '../fold/dispute.ts'
export {
  type ContractName,
  compareEvents,
  type EventFacts,
  type EventKind,
  type LogPosition,
  type MarketEvent,
  type MarketEvents,
  marketAbis,
} from '../fold/event.ts'
export { IncompleteEventError, MissingEntityError } from '../fold/eventHandlers.ts'
export { applyEntries, createEntriesRecord, toSunsetTime } from '../fold/marketEntries.ts'
export { deriveMilestoneState, type TaskProgress } from '../fold/milestones.ts'
export { applyReserve, createPairRecord, createReserveRecord } from '../fold/reserve.ts'
export { canonicalizeRecord, parseEntity, serializeEntity } from '../fold/serializeEntity.ts'
export { applyTask, extractTaskTerms, type FoldedTask } from '../fold/task.ts'
export {
  computeTrackRecord,
  type MedianTime,
  type TrackedDispute,
  type TrackRecord,
  trackRecordEvents,
} from '../fold/trackRecord.ts'
export { accrueUnion, applyUnion, createUnionRecord, TimestampTooEarlyError } from '../fold/union.ts'
export type {
  AgentRecord,
  ArbitratorRecord,
  EntriesRecord,
  PairRecord,
  ReserveRecord,
  UnionRecord,
} from '../records/agent.ts'
export type { DisputeRecord } from '../records/dispute.ts'
export type { MilestoneRecord, TaskRecord } from '../records/task.ts'
