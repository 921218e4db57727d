import { type FoldedTask, parseEntity, serializeEntity } from '@svc/protocol/internal/fold'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { isWriter, writeGathered } from './append.ts'
import { clearRows, type RowCache } from './cache.ts'
import { type Cursor, loadCursor } from './cursor.ts'
import { findWronglyRestored } from './refold.ts'
import { saveRows } from './rows.ts'
import { formatRowKey, parseRowKey, type Row } from './tables.ts'

/**
 * Rolls the index back to a block whose header it has, in one transaction: restores rows from the journal, and deletes events,
 * headers and journal above the block. A restored task that differs from what its remaining events fold to is replaced by that.
 */
export async function rollback(
  sql: Sql,
  market: number,
  cursor: Cursor,
  to: bigint,
  cache: RowCache,
  registry: Address,
): Promise<Cursor> {
  await writeGathered(sql, market, cache)
  clearRows(cache)
  await sql.begin(async (connection) => {
    const number = String(to)
    const { count } = await connection`
      update cursor set (number, hash, "timestamp", digest, events) = (
        select number, hash, "timestamp", digest, events from header where market = ${market} and number = ${number})
      where market = ${market} and number = ${String(cursor.number)} and halted is null
        and exists (select from header where market = ${market} and number = ${number}) and ${isWriter(connection, market)}`
    if (count !== 1)
      throw new Error(
        `Cannot roll the index back to block ${to}: it has no header of it, or another process moved the cursor.`,
      )
    const before = await connection<{ kind: string; key: string; before: string | null }[]>`
      select distinct on (kind, key) kind, key, before from journal
      where market = ${market} and block > ${number} order by kind, key, block`
    const changes = before.map(
      ({ kind, key, before }) => [formatRowKey(kind, key), before === null ? null : restored(before)] as const,
    )
    await saveRows(connection, market, registry, changes)
    for (const table of ['event', 'journal'] as const) {
      await connection`delete from ${connection(table)} where market = ${market} and block > ${number}`
    }
    await connection`delete from header where market = ${market} and number > ${number}`
    const tasks = changes.flatMap(([key, change]) => {
      const [kind, id] = parseRowKey(key)
      return kind === 'task' ? [[id, (change?.row ?? null) as FoldedTask | null] as const] : []
    })
    const wrong = await findWronglyRestored(connection, market, new Map(tasks))
    await saveRows(
      connection,
      market,
      registry,
      [...wrong].map(([id, row]) => [`task:${BigInt(id)}` as const, row && pack(row)] as const),
    )
    await connection`select pg_notify('svc_index', ${`${market}:${to}`})`
  })
  const restoredCursor = await loadCursor(sql, market)
  if (!restoredCursor) throw new Error(`Market ${market} has no cursor after the rollback.`)
  return restoredCursor
}

const restored = (state: string) => ({ row: parseEntity(state) as Row, state })

const pack = (row: FoldedTask) => ({ row, state: serializeEntity(row) })
