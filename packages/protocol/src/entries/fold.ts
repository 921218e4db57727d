export { applyAgent, newAgent } from '../fold/agent.ts'
export { applyEvent, type Entities, type Entity, type EntityKind, type EntityStore, foldEvent } from '../fold/apply.ts'
export { applyArbitrator, newArbitrator } from '../fold/arbitrator.ts'
export { IncompleteEventError, MissingEntityError } from '../fold/cases.ts'
export { completeEvent, type ReadEntity, readFor } from '../fold/complete.ts'
export { decodeLog, type RawLog } from '../fold/decode.ts'
export { applyDispute } from '../fold/dispute.ts'
export {
  type ContractName,
  compareEvents,
  type EventFacts,
  type EventKind,
  type LogPlace,
  type MarketEvent,
  type MarketEvents,
  marketAbis,
} from '../fold/event.ts'
export { applyReserve, newPair, newReserve } from '../fold/ledger.ts'
export { milestoneStateOf, type Progress } from '../fold/milestones.ts'
export { packEntity, spell, unpackEntity } from '../fold/pack.ts'
export { applyTask, type FoldedTask, termsOf } from '../fold/task.ts'
export { type EntityKey, keys, touched } from '../fold/touches.ts'
export { applyUnion, MomentTooEarlyError, newUnion, unionAt } from '../fold/union.ts'
export type { AgentRecord, ArbitratorRecord, PairRecord, ReserveRecord, UnionRecord } from '../records/agent.ts'
export type { AppealRecord, DisputeRecord, SeatRecord } from '../records/dispute.ts'
export type { MilestoneRecord, TaskRecord } from '../records/task.ts'
