import type { Market } from '@svc/protocol'
import { marketNumber } from './cursor.ts'
import type { AnySql } from './sql.ts'
import { parseRowKey, type RowKey } from './tables.ts'

/** Stands for every row of a market. */
const everyRow = '*'

/** More rows than this are not listed one by one: then no row of the market is served. */
const maxSuspects = 100

/** Loads the rows of a market that are known to differ from contract storage, without the mark for all rows. */
export async function loadSuspects(sql: AnySql, market: number): Promise<RowKey[]> {
  const [row] = await sql<{ suspects: string }[]>`select suspects from cursor where market = ${market}`
  return parseSuspects(row?.suspects ?? '[]').filter((key) => key !== everyRow)
}

/** Loads the same from the build that serves. */
export async function loadServedSuspects(sql: AnySql, market: Market): Promise<RowKey[]> {
  const [row] = await sql<{ suspects: string }[]>`
    select suspects from market.cursor where market = ${marketNumber(market)}`
  return parseSuspects(row?.suspects ?? '[]').filter((key) => key !== everyRow)
}

/** Replaces the list of suspect rows. Readers use the chain for these rows, and the index for all others. */
export async function saveSuspects(sql: AnySql, market: number, keys: readonly RowKey[]): Promise<void> {
  const unique = [...new Set(keys)].sort()
  const listed = unique.length > maxSuspects ? [everyRow, ...unique.slice(0, maxSuspects)] : unique
  const { count } = await sql`
    update cursor set suspects = ${JSON.stringify(listed)}
    where market = ${market} and suspects <> ${JSON.stringify(listed)}`
  // Readers cache responses until they are notified.
  if (count > 0) await sql`select pg_notify('svc_index', ${`${market}:suspects`})`
}

/** Finds a suspect row among those that a read uses: keys such as `task:7`, or kinds such as `agent` for all rows of a kind. */
export function findSuspect(suspects: string, used: readonly string[]): string | null {
  // Nearly always.
  if (suspects === '[]') return null
  const found = parseSuspects(suspects).find(
    (key) => key === everyRow || used.includes(key) || used.includes(parseRowKey(key)[0]),
  )
  return found ?? null
}

/** Returns why no row of a market in this build can be relied on; null if that is not the case, or it has no blocks yet. */
export async function findMarketFault(sql: AnySql, market: number): Promise<string | null> {
  const [row] = await sql<{ suspects: string; compared: boolean }[]>`
    select suspects, exists (select from comparison where market = ${market}) as compared
    from cursor where market = ${market}`
  if (!row) return null
  if (!row.compared) return 'it has not been compared with contract storage yet'
  return parseSuspects(row.suspects).includes(everyRow)
    ? 'so many rows differ from contract storage that none is served'
    : null
}

const parseSuspects = (text: string): (RowKey | typeof everyRow)[] => JSON.parse(text)
