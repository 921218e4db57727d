import type { EntriesRecord } from '../records/agent.ts'
import type { MarketEvent } from './event.ts'
import { type EventHandlers, handleEvent } from './eventHandlers.ts'

/**
 * Creates the record of a market whose entries were never paused.
 *
 * @example
 * ```ts
 * createEntriesRecord().paused // false
 * ```
 */
export function createEntriesRecord(): EntriesRecord {
  return { paused: false }
}

/**
 * Applies an event to the record of whether entries are paused.
 *
 * @example
 * ```ts
 * const after = applyEntries(entries, paused)
 * ```
 */
export function applyEntries(entries: EntriesRecord, event: MarketEvent): EntriesRecord {
  return handleEvent(entriesHandlers, entries, event)
}

/** The handlers of the events that pause entries. */
export const entriesHandlers: EventHandlers<EntriesRecord> = {
  'taskRegistry.Paused': () => ({ paused: true }),
  'taskRegistry.Unpaused': () => ({ paused: false }),
}
