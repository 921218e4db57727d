import { type Entity, type EntityKey, foldEvent, type MarketEvent } from '@svc/protocol/fold'
import { type Entities, serializeEntity } from '@svc/protocol/internal/fold'
import {
  addLedgerShare,
  computeBuyerShare,
  computeWorkerShare,
  createLedger,
  type Ledger,
} from '@svc/protocol/internal/money'
import type { Row, RowKey } from './tables.ts'

/** The state of a row before its first change in a block, as JSON text; null if it did not exist. */
export interface JournalEntry {
  block: bigint
  key: RowKey
  before: string | null
}

export interface Folded {
  /** The events with the facts that the fold added, in order. */
  events: readonly MarketEvent[]
  changed: ReadonlySet<RowKey>
  journal: readonly JournalEntry[]
}

/**
 * Folds events into cached rows and updates the ledgers of posters and workers. For blocks above `journalFrom` it journals the
 * previous state of every changed row. Throws if a row was not loaded.
 */
export function foldBlocks(
  cache: Map<RowKey, Row | null>,
  events: readonly MarketEvent[],
  journalFrom: bigint,
): Folded {
  const changed = new Set<RowKey>()
  const journal: JournalEntry[] = []
  let [block, journaled] = [-1n, new Set<RowKey>()]

  const get = (key: RowKey): Row | null => {
    const row = cache.get(key)
    if (row === undefined) throw new Error(`Row ${key} was not loaded before the fold used it.`)
    return row
  }
  const set = (key: RowKey, row: Row): void => {
    const before = get(key)
    if (block > journalFrom && !journaled.has(key)) {
      journaled.add(key)
      journal.push({ block, key, before: before && serializeEntity(before as Entity) })
    }
    cache.set(key, row)
    changed.add(key)
    if (key.startsWith('task:')) noteTask(key, before as Entities['task'] | null, row as Entities['task'])
  }
  const addTo = (wallet: string, change: (ledger: Ledger) => Partial<Ledger>) => {
    const key: RowKey = `ledger:${wallet}`
    const ledger = (get(key) ?? createLedger()) as Ledger
    set(key, { ...ledger, ...change(ledger) })
  }
  const count = (task: Entities['task'], sign: 1 | -1) => {
    addTo(task.poster, ({ buyer }) => ({ buyer: addLedgerShare(buyer, computeBuyerShare(task), sign) }))
    if (task.worker)
      addTo(task.worker, ({ worker }) => ({ worker: addLedgerShare(worker, computeWorkerShare(task), sign) }))
  }
  // Each task moves the ledgers once, from what it was to what it is. A worker who comes and goes meanwhile has an empty one.
  const tasks = new Map<RowKey, Entities['task'] | null>()
  const noteTask = (key: RowKey, before: Entities['task'] | null, { worker }: Entities['task']) => {
    if (!tasks.has(key)) tasks.set(key, before)
    if (worker && worker !== before?.worker) addTo(worker, (ledger) => ledger)
  }
  const moveLedgers = () => {
    for (const [key, before] of tasks) {
      if (before) count(before, -1)
      count(get(key) as Entities['task'], 1)
    }
    tasks.clear()
  }
  const store = {
    get: (key: EntityKey) => get(key) as Entity | null,
    set: (key: EntityKey, entity: Entity) => set(key, entity),
  }

  const complete = events.map((event) => {
    const number = BigInt(event.block.number)
    if (number !== block) {
      if (number > journalFrom) moveLedgers()
      ;[block, journaled] = [number, new Set()]
    }
    return foldEvent(store, event)
  })
  moveLedgers()
  return { events: complete, changed, journal }
}
