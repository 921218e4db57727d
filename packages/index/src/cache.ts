import type { RawLog } from '@svc/chain'
import type { MarketEvent } from '@svc/protocol/fold'
import type { Address } from 'viem'
import type { Cursor, DigestedHeader } from './cursor.ts'
import type { JournalEntry } from './foldBlocks.ts'
import { loadRows } from './rows.ts'
import type { AnySql } from './sql.ts'
import type { Row, RowKey } from './tables.ts'

/** What the writer of a market holds in memory between steps. */
export interface RowCache {
  /** Rows as they are after all blocks so far; null for a row that does not exist. */
  rows: Map<RowKey, Row | null>
  /** Whether every row of the market is here, so that one which is not here does not exist. */
  isComplete: boolean
  /** Blocks that were folded and wait to be written together. */
  unwritten: Unwritten | null
  /** Ends when the blocks before those are written. */
  writing: Promise<void>
}

/** Batches that were folded and wait to be written together: a row that changes in many of them is written once. */
export interface Unwritten {
  from: Cursor
  to: Cursor
  settled: bigint
  registry: Address
  headers: readonly DigestedBlock[]
  batches: readonly { logs: readonly RawLog[]; events: readonly MarketEvent[] }[]
  /** Rows as they are at `to`, whatever the cache holds by then. */
  rows: ReadonlyMap<RowKey, Row | null>
  journal: readonly JournalEntry[]
}

/** A block as table `header` has it. */
export type DigestedBlock = DigestedHeader & Pick<Cursor, 'timestamp'>

/** Above this size the cache is cleared. It limits memory and has no effect on the result. */
const maxRows = 100_000

export const createRowCache = (): RowCache => ({
  rows: new Map(),
  isComplete: false,
  unwritten: null,
  writing: Promise.resolve(),
})

/** Loads the rows that the cache does not have yet. */
export async function loadIntoCache(
  sql: AnySql,
  market: number,
  { rows, isComplete, writing }: RowCache,
  keys: Iterable<RowKey>,
): Promise<void> {
  const unknown = [...new Set(keys)].filter((key) => !rows.has(key))
  if (unknown.length === 0) return
  // A statement that waits for the connection of a transaction hangs if that connection is lost.
  if (!isComplete) await writing
  const found = isComplete ? new Map<RowKey, Row>() : await loadRows(sql, market, unknown)
  for (const key of unknown) rows.set(key, found.get(key) ?? null)
}

/** Clears the cache if it is too large. Call it only when all of its rows are written or being written. */
export function trimCache(cache: RowCache): void {
  if (cache.rows.size > maxRows) clearRows(cache)
}

export function clearRows(cache: RowCache): void {
  cache.rows.clear()
  cache.isComplete = false
}
