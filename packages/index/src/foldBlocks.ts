import { type Entities, type Entity, type EntityKey, foldEvent, type MarketEvent, packEntity } from '@svc/protocol/fold'
import { addShare, buyerShare, emptyLedger, type Ledger, workerShare } from '@svc/protocol/records'
import type { RowCache } from './cache.ts'
import type { Row, RowKey } from './kinds.ts'

/** What a row was before its first change in a block, as JSON text; null: it was not there. */
export interface JournalEntry {
  block: bigint
  key: RowKey
  before: string | null
}

export interface Folded {
  /** The events with what the fold found out, in order. */
  events: readonly MarketEvent[]
  changed: ReadonlySet<RowKey>
  journal: readonly JournalEntry[]
}

/**
 * Folds events into known rows, and keeps each poster's and worker's ledger beside them. For blocks above `journalFrom` it
 * notes what every row was before. Refuses to touch a row that was not loaded.
 */
export function foldBlocks(cache: RowCache, events: readonly MarketEvent[], journalFrom: bigint): Folded {
  const changed = new Set<RowKey>()
  const journal: JournalEntry[] = []
  let [block, noted] = [-1n, new Set<RowKey>()]

  const get = (key: RowKey): Row | null => {
    const row = cache.get(key)
    if (row === undefined) throw new Error(`Row ${key} was not loaded before it was needed.`)
    return row
  }
  const set = (key: RowKey, row: Row): void => {
    const before = get(key)
    if (block > journalFrom && !noted.has(key)) {
      noted.add(key)
      journal.push({ block, key, before: before && packEntity(before as Entity) })
    }
    cache.set(key, row)
    changed.add(key)
    if (key.startsWith('task:')) moveLedgers(before as Entities['task'] | null, row as Entities['task'])
  }
  const addTo = (wallet: string, change: (ledger: Ledger) => Partial<Ledger>) => {
    const key: RowKey = `ledger:${wallet}`
    const ledger = (get(key) ?? emptyLedger()) as Ledger
    set(key, { ...ledger, ...change(ledger) })
  }
  const count = (task: Entities['task'], sign: 1 | -1) => {
    addTo(task.poster, ({ buyer }) => ({ buyer: addShare(buyer, buyerShare(task), sign) }))
    if (task.worker) addTo(task.worker, ({ worker }) => ({ worker: addShare(worker, workerShare(task), sign) }))
  }
  const moveLedgers = (before: Entities['task'] | null, after: Entities['task']) => {
    if (before) count(before, -1)
    count(after, 1)
  }
  const store = {
    get: (key: EntityKey) => get(key) as Entity | null,
    set: (key: EntityKey, entity: Entity) => set(key, entity),
  }

  const complete = events.map((event) => {
    const number = BigInt(event.block.number)
    if (number !== block) [block, noted] = [number, new Set()]
    return foldEvent(store, event)
  })
  return { events: complete, changed, journal }
}
