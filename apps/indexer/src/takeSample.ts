import {
  advanceWalk,
  type Cursor,
  initialWalk,
  listLinkedRows,
  loadComparison,
  loadCursor,
  loadFullRows,
  marketNumber,
  parseRowKey,
  type RowKey,
  sampleTasks,
  type Walk,
} from '@svc/index'
import type { Sql } from 'postgres'
import type { ComparedMarket } from './rowKinds.ts'
import { getRowKind, type Rows, readDerived, toIndexedParts } from './rowParts.ts'

/** A sample of rows of the index at one block. */
export interface Sample {
  cursor: Cursor
  /** The walk through all rows after this sample. */
  walk: Walk
  indexed: Rows
  /** The expected parts of rows that no contract stores. */
  derived: Rows
}

/**
 * Takes a sample of rows in one snapshot: recently changed and random tasks, the next rows of the walk through each table, the
 * rows they refer to (disputes and their bench, posters and workers, their ledgers), the Union, and whether entries are paused. Returns null while the index
 * is empty or halted.
 */
export function takeSample(sql: Sql, of: ComparedMarket, size: number): Promise<Sample | null> {
  const market = marketNumber(of.market)
  return sql.begin('isolation level repeatable read read only', async (snapshot) => {
    const cursor = await loadCursor(snapshot, market)
    if (!cursor || cursor.halted) return null
    const last = await loadComparison(snapshot, market)
    const { keys: walked, walk } = await advanceWalk(snapshot, market, last?.walk ?? initialWalk, size)
    const sampled = await sampleTasks(snapshot, market, size)
    const keys = addCompanions([...sampled.map((number): RowKey => `task:${number}`), ...walked, 'union', 'entries'])
    const rows = await loadFullRows(snapshot, market, keys)
    const more = [...listLinkedRows([...rows].map(([key, { row }]) => [key, row] as const))].filter(
      (key) => !keys.has(key),
    )
    for (const [key, row] of await loadFullRows(snapshot, market, more)) rows.set(key, row)
    const indexed = new Map(
      [...keys, ...more].map((key) => [key, toIndexedParts(key, rows.get(key) ?? null, of, cursor)] as const),
    )
    return { cursor, walk, indexed, derived: await readDerived(indexed.keys(), of, market, snapshot) }
  })
}

/** Adds the keys of rows that are always compared together with these. */
function addCompanions(keys: Iterable<RowKey>): Set<RowKey> {
  const all = new Set(keys)
  for (const key of [...all]) {
    const beside = getRowKind(key).companion?.(parseRowKey(key)[1])
    if (beside) all.add(beside)
  }
  return all
}
