import { loadRows } from './rows.ts'
import type { AnySql } from './sql.ts'
import type { Row, RowKey } from './tables.ts'

/** Rows that the writer of a market holds in memory; null for a row that does not exist. */
export type RowCache = Map<RowKey, Row | null>

/** Above this size the cache is cleared. It limits memory and has no effect on the result. */
const maxRows = 200_000

/** Loads the rows that the cache does not have yet. */
export async function loadIntoCache(
  sql: AnySql,
  market: number,
  cache: RowCache,
  keys: Iterable<RowKey>,
): Promise<void> {
  const unknown = [...new Set(keys)].filter((key) => !cache.has(key))
  if (unknown.length === 0) return
  const found = await loadRows(sql, market, unknown)
  for (const key of unknown) cache.set(key, found.get(key) ?? null)
}

/** Clears the cache if it is too large. Call it only between steps. */
export function trimCache(cache: RowCache): void {
  if (cache.size > maxRows) cache.clear()
}
