import type { DisputeRecord } from '../records/dispute.ts'
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
    case 'arbitration.CaseOpened':
      return entityKeys.task(event.args.taskId)
    case 'arbitration.ArbitratorSlashed':
      return entityKeys.dispute(event.args.taskId)
    case 'reputationRegistry.CompletionRecorded':
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
  if (event.kind === 'reputationRegistry.CompletionRecorded') return { firstCompletion: !entity }
  if (event.kind === 'arbitration.ArbitratorSlashed') {
    if (!entity) throw new MissingEntityError('dispute', event)
    // The final court overturns a ruling; a silent judge made none.
    return { silent: !(entity as DisputeRecord).ruled }
  }
  if (!entity) throw new MissingEntityError('task', event)
  const { poster, worker, scope, arbitrator, milestones, current } = entity as FoldedTask
  return {
    poster,
    ...(worker && { worker }),
    // Both parties have signed the terms of a private task.
    ...(arbitrator && scope === 'PRIVATE' && { named: arbitrator }),
    ...(arbitrator && { proposed: arbitrator }),
    amount: String(milestones[current]?.amount ?? 0n),
  }
}
