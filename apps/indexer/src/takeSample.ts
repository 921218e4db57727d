import {
  type Cursor,
  ledToBy,
  loadComparison,
  loadCursor,
  loadWholeRows,
  marketNumber,
  type RowKey,
  sampleTasks,
  splitKey,
  type Walk,
  walkBegins,
  walkOn,
} from '@svc/index'
import type { Sql } from 'postgres'
import type { Compared } from './rowKinds.ts'
import { partsOfIndexed, type Rows, readDerived, rowKindOf } from './rowParts.ts'

/** Rows of the index at one block. */
export interface Sample {
  cursor: Cursor
  /** How far the walk through all rows is with these. */
  walk: Walk
  indexed: Rows
  /** What those that no contract stores must be. */
  derived: Rows
}

/**
 * Takes rows out of the index, all of one moment: tasks that changed last and tasks at random, and as many rows of each table
 * in turn; what these lead to, which is disputes and their bench, poster and worker and their ledgers; and the Union. Null
 * while the index is empty or halted.
 */
export function takeSample(sql: Sql, of: Compared, size: number): Promise<Sample | null> {
  const market = marketNumber(of.market)
  return sql.begin('isolation level repeatable read read only', async (snapshot) => {
    const cursor = await loadCursor(snapshot, market)
    if (!cursor || cursor.halted) return null
    const last = await loadComparison(snapshot, market)
    const { keys: walked, walk } = await walkOn(snapshot, market, last?.walk ?? walkBegins, size)
    const sampled = await sampleTasks(snapshot, market, size)
    const keys = withBeside([...sampled.map((number): RowKey => `task:${number}`), ...walked, 'union'])
    const rows = await loadWholeRows(snapshot, market, keys)
    const more = [...ledToBy([...rows].map(([key, { row }]) => [key, row] as const))].filter((key) => !keys.has(key))
    for (const [key, row] of await loadWholeRows(snapshot, market, more)) rows.set(key, row)
    const indexed = new Map(
      [...keys, ...more].map((key) => [key, partsOfIndexed(key, rows.get(key) ?? null, of, cursor)] as const),
    )
    return { cursor, walk, indexed, derived: await readDerived(indexed.keys(), of, market, snapshot) }
  })
}

/** The keys, and those that are compared beside them. */
function withBeside(keys: Iterable<RowKey>): Set<RowKey> {
  const all = new Set(keys)
  for (const key of [...all]) {
    const beside = rowKindOf(key).beside?.(splitKey(key)[1])
    if (beside) all.add(beside)
  }
  return all
}
