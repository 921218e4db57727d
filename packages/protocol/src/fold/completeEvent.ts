import type { DisputeRecord } from '../records/dispute.ts'
import { taskStates } from '../states.ts'
import { type EntityKey, entityKeys } from './affectedEntities.ts'
import type { EventFacts, MarketEvent } from './event.ts'
import { MissingEntityError } from './eventHandlers.ts'
import type { FoldedTask } from './task.ts'

/** Reads an entity as it was before an event. */
export type ReadEntity = (key: EntityKey) => unknown

/**
 * Finds the entity that `completeEvent` must read for an event. Returns null for most events, which contain everything they
 * change.
 *
 * @example
 * ```ts
 * const keys = events.flatMap((event) => findRequiredEntity(event) ?? [])
 * ```
 */
export function findRequiredEntity(event: MarketEvent): EntityKey | null {
  switch (event.kind) {
    case 'taskRegistry.TaskCompleted':
    case 'taskRegistry.TaskMutuallyCancelled':
    case 'taskRegistry.TaskResolved':
    case 'arbitration.CaseOpened':
    case 'arbitration.ArbitratorSlashed':
      return entityKeys.task(event.args.taskId)
    case 'taskRegistry.TaskExpired':
      return taskStates[event.args.previous] === 'POSTED' ? null : entityKeys.task(event.args.taskId)
    case 'arbitration.CaseWithdrawn':
      return entityKeys.dispute(event.args.taskId)
    case 'reputationRegistry.PaymentRecorded':
      return entityKeys.pair(event.args.poster, event.args.worker)
    default:
      return null
  }
}

/**
 * Adds the facts to an event that it needs but does not contain. Call it once, before the event is applied to any entity, and
 * store the facts with the event. Throws {@link MissingEntityError} if its task or dispute does not exist.
 *
 * @example
 * ```ts
 * const complete = completeEvent(event, (key) => store.get(key))
 * ```
 */
export function completeEvent(event: MarketEvent, read: ReadEntity): MarketEvent {
  const key = findRequiredEntity(event)
  return key ? { ...event, facts: deriveFacts(event, read(key)) } : event
}

function deriveFacts(event: MarketEvent, entity: unknown): EventFacts {
  if (event.kind === 'reputationRegistry.PaymentRecorded') return { firstPayment: !entity }
  const needed = event.kind === 'arbitration.CaseWithdrawn' ? 'dispute' : 'task'
  if (!entity) throw new MissingEntityError(needed, event)
  if (needed === 'dispute') {
    const { bench, panelStart } = entity as DisputeRecord
    return {
      waiting: bench
        .slice(panelStart)
        .filter(({ voted }) => !voted)
        .map(({ arbitrator }) => arbitrator),
    }
  }
  const { poster, worker } = entity as FoldedTask
  return worker ? { poster, worker } : { poster }
}
