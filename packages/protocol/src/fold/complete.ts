import type { DisputeRecord } from '../records/dispute.ts'
import { taskStates } from '../states.ts'
import { MissingEntityError } from './cases.ts'
import type { EventFacts, MarketEvent } from './event.ts'
import type { FoldedTask } from './task.ts'
import { type EntityKey, keys } from './touches.ts'

/** Reads an entity as it stands before an event. */
export type ReadEntity = (key: EntityKey) => unknown

/** The entity that `completeEvent` reads for this event; null for most kinds, which say all that they change. */
export function readFor(event: MarketEvent): EntityKey | null {
  switch (event.kind) {
    case 'taskRegistry.TaskCompleted':
    case 'taskRegistry.TaskMutuallyCancelled':
    case 'taskRegistry.TaskResolved':
    case 'arbitration.CaseOpened':
    case 'arbitration.ArbitratorSlashed':
      return keys.task(event.args.taskId)
    case 'taskRegistry.TaskExpired':
      return taskStates[event.args.previous] === 'POSTED' ? null : keys.task(event.args.taskId)
    case 'arbitration.CaseWithdrawn':
      return keys.dispute(event.args.taskId)
    case 'reputationRegistry.PaymentRecorded':
      return keys.pair(event.args.poster, event.args.worker)
    default:
      return null
  }
}

/**
 * The event with what it changes but does not say. Call it once, before the event is applied to anything; keep the facts
 * with the event. Refuses an event whose task or dispute is not there.
 */
export function completeEvent(event: MarketEvent, read: ReadEntity): MarketEvent {
  const key = readFor(event)
  return key ? { ...event, facts: factsOf(event, read(key)) } : event
}

function factsOf(event: MarketEvent, entity: unknown): EventFacts {
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
