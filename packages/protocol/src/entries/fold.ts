export type { EntityKey } from '../fold/affectedEntities.ts'
export { type Entity, foldEvent } from '../fold/applyEvent.ts'
export { decodeLog } from '../fold/decodeLog.ts'
export { type ContractName, compareEvents, type EventKind, type MarketEvent, marketAbis } from '../fold/event.ts'
