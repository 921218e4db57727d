import type { EntriesRecord } from '../records/agent.ts'
import type { MarketEvent } from './event.ts'
import { type EventHandlers, handleEvent } from './eventHandlers.ts'

/**
 * Creates the record of a market whose entries were never paused and have no end.
 *
 * @example
 * ```ts
 * createEntriesRecord().paused // false
 * ```
 */
export function createEntriesRecord(): EntriesRecord {
  return { paused: false, sunsetAt: 0 }
}

/**
 * Applies an event to the record of whether entries are paused and when they end.
 *
 * @example
 * ```ts
 * const after = applyEntries(entries, paused)
 * ```
 */
export function applyEntries(entries: EntriesRecord, event: MarketEvent): EntriesRecord {
  return handleEvent(entriesHandlers, entries, event)
}

/** The handlers of the events that pause or end entries. */
export const entriesHandlers: EventHandlers<EntriesRecord> = {
  'taskRegistry.Paused': (entries) => ({ ...entries, paused: true }),
  'taskRegistry.Unpaused': (entries) => ({ ...entries, paused: false }),
  'taskRegistry.SunsetScheduled': (entries, { args }) => ({ ...entries, sunsetAt: toSunsetTime(args.endsAt) }),
}

/** The end of entries as a number. The contract accepts any later time, so one beyond all numbers becomes the largest. */
export function toSunsetTime(endsAt: bigint): number {
  return Number(endsAt > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : endsAt)
}
