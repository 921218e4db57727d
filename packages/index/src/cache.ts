import type { Row, RowKey } from './kinds.ts'
import { loadRows } from './rows.ts'
import type { AnySql } from './sql.ts'

/** Rows that the one writer of a market holds in memory; null stands for a row that is not there. */
export type RowCache = Map<RowKey, Row | null>

/** More rows than this are let go: it bounds memory, not correctness. */
const maxRows = 200_000

/** Sees to it that the cache knows these rows. */
export async function know(sql: AnySql, market: number, cache: RowCache, keys: Iterable<RowKey>): Promise<void> {
  const unknown = [...new Set(keys)].filter((key) => !cache.has(key))
  if (unknown.length === 0) return
  const found = await loadRows(sql, market, unknown)
  for (const key of unknown) cache.set(key, found.get(key) ?? null)
}

/** Lets everything go when it has become too much; between steps only. */
export function trim(cache: RowCache): void {
  if (cache.size > maxRows) cache.clear()
}
