import type { Address } from 'viem'
import type { AgentRecord, ArbitratorRecord, PairRecord, ReserveRecord, UnionRecord } from '../records/agent.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import { applyAgent, newAgent } from './agent.ts'
import { applyArbitrator, newArbitrator } from './arbitrator.ts'
import { completeEvent } from './complete.ts'
import { applyDispute } from './dispute.ts'
import type { MarketEvent } from './event.ts'
import { applyReserve, newPair, newReserve } from './ledger.ts'
import { applyTask, type FoldedTask } from './task.ts'
import { type EntityKey, touched } from './touches.ts'
import { applyUnion, newUnion } from './union.ts'

/** The entities of a market by the first word of their key. */
export interface Entities {
  task: FoldedTask
  dispute: DisputeRecord
  agent: AgentRecord
  arbitrator: ArbitratorRecord
  reserve: ReserveRecord
  pair: PairRecord
  union: UnionRecord
}

/** What kind of entity a key names. */
export type EntityKind = keyof Entities

/** Any entity of a market: plain data of strings, numbers, booleans, bigints and nulls. */
export type Entity = Entities[EntityKind]

/** Where entities are kept; a `Map` is one. */
export interface EntityStore {
  get: (key: EntityKey) => Entity | null | undefined
  set: (key: EntityKey, entity: Entity) => unknown
}

/**
 * The entity of a key after a complete event that touches it; null stands for one that no event has begun. Refuses an
 * event of a task or a dispute that is not there.
 */
export function applyEvent(key: EntityKey, entity: Entity | null, event: MarketEvent): Entity {
  const [kind, first = '', second = ''] = key.split(':') as [EntityKind, string?, string?]
  switch (kind) {
    case 'task':
      return applyTask(entity as FoldedTask | null, event)
    case 'dispute':
      return applyDispute(entity as DisputeRecord | null, event)
    case 'agent':
      return applyAgent((entity as AgentRecord | null) ?? newAgent(first as Address), event)
    case 'arbitrator':
      return applyArbitrator((entity as ArbitratorRecord | null) ?? newArbitrator(first as Address), event)
    case 'reserve':
      return applyReserve((entity as ReserveRecord | null) ?? newReserve(BigInt(first), second as Address), event)
    case 'pair':
      return entity ?? newPair(first as Address, second as Address)
    case 'union':
      return applyUnion((entity as UnionRecord | null) ?? newUnion(), event)
  }
}

/**
 * Folds the next event of a market into its entities, and gives it back complete. Events must come in the order of (block,
 * log index), each once.
 */
export function foldEvent(store: EntityStore, event: MarketEvent): MarketEvent {
  const complete = completeEvent(event, store.get.bind(store))
  for (const key of touched(complete)) store.set(key, applyEvent(key, store.get(key) ?? null, complete))
  return complete
}
