import type { Address } from 'viem'
import type {
  AgentRecord,
  ArbitratorRecord,
  EntriesRecord,
  PairRecord,
  ReserveRecord,
  UnionRecord,
} from '../records/agent.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import { type EntityKey, listAffectedEntities } from './affectedEntities.ts'
import { applyAgent, createAgentRecord } from './agent.ts'
import { applyArbitrator, createArbitratorRecord } from './arbitrator.ts'
import { completeEvent } from './completeEvent.ts'
import { applyDispute } from './dispute.ts'
import type { MarketEvent } from './event.ts'
import { applyEntries, createEntriesRecord } from './marketEntries.ts'
import { applyReserve, createPairRecord, createReserveRecord } from './reserve.ts'
import { applyTask, type FoldedTask } from './task.ts'
import { applyUnion, createUnionRecord } from './union.ts'

/** The entity types of a market, by the first part of their key. */
export interface Entities {
  task: FoldedTask
  dispute: DisputeRecord
  agent: AgentRecord
  arbitrator: ArbitratorRecord
  reserve: ReserveRecord
  pair: PairRecord
  union: UnionRecord
  entries: EntriesRecord
}

/** The kind of an entity, the first part of its key. */
export type EntityKind = keyof Entities

/** Any entity of a market: plain data of strings, numbers, booleans, bigints and nulls. */
export type Entity = Entities[EntityKind]

/** A store of entities. A `Map` is one. */
export interface EntityStore {
  get: (key: EntityKey) => Entity | null | undefined
  set: (key: EntityKey, entity: Entity) => unknown
}

/**
 * Applies a complete event to the entity of a key. Pass null for an entity that does not exist yet. Throws
 * {@link MissingEntityError} for an event of a task or dispute that does not exist.
 *
 * @example
 * ```ts
 * for (const key of listAffectedEntities(event)) store.set(key, applyEvent(key, store.get(key) ?? null, event))
 * ```
 */
export function applyEvent(key: EntityKey, entity: Entity | null, event: MarketEvent): Entity {
  const [kind, first = '', second = ''] = key.split(':') as [EntityKind, string?, string?]
  switch (kind) {
    case 'task':
      return applyTask(entity as FoldedTask | null, event)
    case 'dispute':
      return applyDispute(entity as DisputeRecord | null, event)
    case 'agent':
      return applyAgent((entity as AgentRecord | null) ?? createAgentRecord(first as Address), event)
    case 'arbitrator':
      return applyArbitrator((entity as ArbitratorRecord | null) ?? createArbitratorRecord(first as Address), event)
    case 'reserve':
      return applyReserve(
        (entity as ReserveRecord | null) ?? createReserveRecord(BigInt(first), second as Address),
        event,
      )
    case 'pair':
      return entity ?? createPairRecord(first as Address, second as Address)
    case 'union':
      return applyUnion((entity as UnionRecord | null) ?? createUnionRecord(), event)
    case 'entries':
      return applyEntries((entity as EntriesRecord | null) ?? createEntriesRecord(), event)
  }
}

/**
 * Folds the next event of a market into its entities and returns the completed event. Events must come once each, ordered by
 * block and log index.
 *
 * @example
 * ```ts
 * const store = new Map<EntityKey, Entity>()
 * for (const event of events.sort(compareEvents)) foldEvent(store, event)
 * ```
 */
export function foldEvent(store: EntityStore, event: MarketEvent): MarketEvent {
  const complete = completeEvent(event, store.get.bind(store))
  for (const key of listAffectedEntities(complete)) store.set(key, applyEvent(key, store.get(key) ?? null, complete))
  return complete
}
