import { type FoldedTask, unpackEntity } from '@svc/protocol/fold'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type { RowCache } from './cache.ts'
import { type Cursor, loadCursor } from './cursor.ts'
import { type Row, type RowKey, splitKey } from './kinds.ts'
import { checkRestored } from './refold.ts'
import { saveRows } from './rows.ts'

/**
 * Takes the index back to a block that it keeps a header of, in one transaction: rows become what the journal says they
 * were, and events, headers and journal above are gone. Each task that changed must then be what its remaining events
 * fold to, or nothing is committed.
 */
export async function rollback(
  sql: Sql,
  market: number,
  cursor: Cursor,
  to: bigint,
  cache: RowCache,
  registry: Address,
): Promise<Cursor> {
  cache.clear()
  await sql.begin(async (connection) => {
    const number = String(to)
    const { count } = await connection`
      update cursor set (number, hash, "timestamp", digest, events) = (
        select number, hash, "timestamp", digest, events from header where market = ${market} and number = ${number})
      where market = ${market} and number = ${String(cursor.number)} and halted is null
        and exists (select from header where market = ${market} and number = ${number})`
    if (count !== 1) throw new Error(`The index cannot go back to block ${to}.`)
    const before = await connection<{ kind: string; key: string; before: string | null }[]>`
      select distinct on (kind, key) kind, key, before from journal
      where market = ${market} and block > ${number} order by kind, key, block`
    const changes = before.map(
      ({ kind, key, before }) => [keyOf(kind, key), before === null ? null : restored(before)] as const,
    )
    await saveRows(connection, market, registry, changes)
    for (const table of ['event', 'journal'] as const) {
      await connection`delete from ${connection(table)} where market = ${market} and block > ${number}`
    }
    await connection`delete from header where market = ${market} and number > ${number}`
    const tasks = changes.flatMap(([key, change]) => {
      const [kind, id] = splitKey(key)
      return kind === 'task' ? [[id, (change?.row ?? null) as FoldedTask | null] as const] : []
    })
    await checkRestored(connection, market, new Map(tasks))
    await connection`select pg_notify('svc_index', ${`${market}:${to}`})`
  })
  const now = await loadCursor(sql, market)
  if (!now) throw new Error('The index has lost its cursor.')
  return now
}

const keyOf = (kind: string, key: string): RowKey => (key === '' ? kind : `${kind}:${key}`) as RowKey

const restored = (state: string) => ({ row: unpackEntity(state) as Row, state })
