import {
  advanceWalk,
  type Cursor,
  type FullRow,
  initialWalk,
  listLinkedRows,
  loadComparison,
  loadCursor,
  loadFullRows,
  loadSuspects,
  marketNumber,
  parseRowKey,
  type RowKey,
  sampleTasks,
  type Walk,
} from '@svc/index'
import type { Sql, TransactionSql } from 'postgres'
import type { ComparedMarket } from './rowKinds.ts'
import { getRowKind, type Rows, readDerived, toIndexedParts } from './rowParts.ts'

export interface SampleOptions {
  /** Tasks sampled, and the least rows of each table that the walk visits. */
  size: number
  /** Seconds between comparisons. In a large market the walk visits more rows each time, so that a round takes a day. */
  seconds?: number
}

/** A walk should visit all rows within this time, as long as it need not visit more rows of a table at once than `maxWalk`. */
const [roundSeconds, maxWalk] = [86_400, 1_000]

/** Returns how many rows of each table a walk visits at once. */
export function chooseWalkSize(rows: number, seconds: number): number {
  return Math.min(maxWalk, Math.ceil((rows * seconds) / roundSeconds))
}

/** Rows of the index at one block. */
export interface RowsAtBlock {
  cursor: Cursor
  indexed: Rows
  /** The expected parts of rows that no contract stores. */
  derived: Rows
}

/** A sample of rows of the index at one block. */
export interface Sample extends RowsAtBlock {
  /** The walk through all rows after this sample. */
  walk: Walk
}

/**
 * Takes a sample of rows in one snapshot: recently changed and random tasks, the next rows of the walk through each table, the
 * rows they refer to (disputes and their bench, posters and workers, their ledgers), rows that differed before, the Union, and
 * whether entries are paused. Returns null while the index is empty or halted.
 */
export function takeSample(sql: Sql, of: ComparedMarket, { size, seconds = 0 }: SampleOptions): Promise<Sample | null> {
  const market = marketNumber(of.market)
  return sql.begin('isolation level repeatable read read only', async (snapshot) => {
    const cursor = await loadCursor(snapshot, market)
    if (!cursor || cursor.halted) return null
    const last = await loadComparison(snapshot, market)
    const { keys: walked, walk } = await advanceWalk(
      snapshot,
      market,
      last?.walk ?? initialWalk,
      Math.max(size, chooseWalkSize(last?.walk.of ?? 0, seconds)),
    )
    const sampled = await sampleTasks(snapshot, market, size)
    const suspects = await loadSuspects(snapshot, market)
    const numbers = sampled.map((number): RowKey => `task:${number}`)
    const keys = addCompanions([...suspects, ...numbers, ...walked, 'union', 'entries'])
    const rows = await loadFullRows(snapshot, market, keys)
    const more = [...listLinkedRows([...rows].map(([key, { row }]) => [key, row] as const))].filter(
      (key) => !keys.has(key),
    )
    for (const [key, row] of await loadFullRows(snapshot, market, more)) rows.set(key, row)
    return { walk, ...(await toParts(snapshot, of, cursor, [...keys, ...more], rows)) }
  })
}

/** Takes exactly these rows in one snapshot. Returns null while the index is empty or halted. */
export function takeRows(sql: Sql, of: ComparedMarket, keys: readonly RowKey[]): Promise<RowsAtBlock | null> {
  const market = marketNumber(of.market)
  return sql.begin('isolation level repeatable read read only', async (snapshot) => {
    const cursor = await loadCursor(snapshot, market)
    if (!cursor || cursor.halted) return null
    return toParts(snapshot, of, cursor, keys, await loadFullRows(snapshot, market, keys))
  })
}

async function toParts(
  snapshot: TransactionSql,
  of: ComparedMarket,
  cursor: Cursor,
  keys: readonly RowKey[],
  rows: ReadonlyMap<RowKey, FullRow>,
): Promise<RowsAtBlock> {
  const indexed = new Map(keys.map((key) => [key, toIndexedParts(key, rows.get(key) ?? null, of, cursor)] as const))
  return { cursor, indexed, derived: await readDerived(indexed.keys(), of, marketNumber(of.market), snapshot) }
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
