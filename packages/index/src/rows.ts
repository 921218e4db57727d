import { markets } from '@svc/protocol'
import { unpackEntity } from '@svc/protocol/fold'
import type { Fragment } from 'postgres'
import type { Address } from 'viem'
import { type Owner, type Row, type RowKey, splitKey, type Table, tableOf } from './kinds.ts'
import { jsonList, list } from './list.ts'
import type { AnySql } from './sql.ts'

/** Loads these rows; those that are not there are missing in the answer. */
export async function loadRows(sql: AnySql, market: number, keys: Iterable<RowKey>): Promise<Map<RowKey, Row>> {
  const rows = new Map<RowKey, Row>()
  for (const [table, group] of Map.groupBy(keys, (key) => tableOf(splitKey(key)[0]))) {
    const found = await select(sql, table, market, group)
    for (const { id, state } of found) rows.set(id as RowKey, unpackEntity(state) as Row)
  }
  return rows
}

/** The same rows whole: with the columns that stand beside the state, as `kinds.ts` writes them. */
export async function loadWholeRows(
  sql: AnySql,
  market: number,
  keys: Iterable<RowKey>,
): Promise<Map<RowKey, WholeRow>> {
  const rows = new Map<RowKey, WholeRow>()
  for (const [table, group] of Map.groupBy(keys, (key) => tableOf(splitKey(key)[0]))) {
    const texts = table.columns
      .filter(([name]) => !isKey(name))
      .map(([name, read]) => `, ${read === 'hex' ? `encode(row.${name}, 'hex')` : `row.${name}::text`} as ${name}`)
    const found = await select(sql, table, market, group, sql.unsafe(texts.join('')))
    for (const { id, state, ...columns } of found) rows.set(id as RowKey, { row: unpackEntity(state) as Row, columns })
  }
  return rows
}

/** A row with all that is kept of it. */
export interface WholeRow {
  row: Row
  columns: Columns
}

/** The columns of a table beside key and state, as text. */
type Columns = Readonly<Record<string, string | null>>

/** The columns that a row must have, if the index is right. */
export function columnsOf(key: RowKey, row: Row, owner: Owner): Columns {
  const [kind, id] = splitKey(key)
  const { columns, valuesOf } = tableOf(kind)
  const values = valuesOf(kind, id, row, owner)
  const made = columns.flatMap(([name, read], index): [string, string | null][] => {
    const value = values[index] ?? null
    return isKey(name) ? [] : [[name, read === 'hex' ? (value?.toLowerCase() ?? null) : value]]
  })
  return Object.fromEntries(made)
}

const isKey = (column: string) => column === 'key' || column === 'kind'

interface FoundRow {
  id: string
  state: string
  [column: string]: string | null
}

function select(sql: AnySql, table: Table, market: number, keys: readonly RowKey[], columns: Fragment = sql``) {
  const parts = keys.map(splitKey)
  const name = sql(table.name)
  if (table.name === 'entity') {
    return sql<FoundRow[]>`
      select case when key = '' then kind else kind || ':' || key end as id, state
      from ${name} where market = ${market} and (kind, key) in (
        select * from unnest(${list(parts.map(([kind]) => kind))}::text[], ${list(parts.map(([, key]) => key))}::text[]))`
  }
  // Addresses in keys are checksummed, which bytes are not: the answer is found again by its position.
  const wanted = parts.map(([, key]) => (table.name === 'task' ? key : key.slice(2)))
  const read = table.name === 'task' ? sql`wanted.key::bigint` : sql`decode(wanted.key, 'hex')`
  return sql<FoundRow[]>`
    select wanted.id, row.state ${columns}
    from unnest(${list(keys)}::text[], ${list(wanted)}::text[]) as wanted(id, key)
    join ${name} row on row.market = ${market} and row.key = ${read}`
}

/** Writes rows, each as `state` JSON text and the row it stands for; null deletes. The registry is the market's. */
export async function saveRows(
  sql: AnySql,
  market: number,
  registry: Address,
  changes: Iterable<readonly [key: RowKey, change: { row: Row; state: string } | null]>,
): Promise<void> {
  const name = markets[market]
  if (!name) throw new RangeError(`There is no market ${market}.`)
  for (const [table, group] of Map.groupBy(changes, ([key]) => tableOf(splitKey(key)[0]))) {
    const gone = group.filter(([, change]) => change === null).map(([key]) => key)
    if (gone.length > 0) await remove(sql, table, market, gone)
    const kept = group.flatMap(([key, change]) => {
      if (!change) return []
      const [kind, id] = splitKey(key)
      return [[...table.valuesOf(kind, id, change.row, { market: name, registry }), change.state]]
    })
    if (kept.length > 0) await upsert(sql, table, market, kept)
  }
}

async function upsert(
  sql: AnySql,
  table: Table,
  market: number,
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const all = [...table.columns, ['state', 'json']] as const
  const columns = all.map(([name]) => name)
  const reads = all.map(([name, read]) =>
    read === 'json' ? name : read === 'hex' ? `decode(${name}, 'hex')` : `${name}${read}`,
  )
  const keys = table.name === 'entity' ? 'market, kind, key' : 'market, key'
  const rest = columns.filter((name) => name !== 'key' && name !== 'kind')
  const given = all.map(([, read], index) => (read === 'json' ? jsonList : list)(rows.map((row) => row[index] ?? null)))
  const sets = all.map(([, read], index) =>
    read === 'json' ? `json_array_elements_text($${index + 2}::text::json)` : `unnest($${index + 2}::text[])`,
  )
  await sql.unsafe(
    `insert into ${table.name} (market, ${columns.join(', ')})
     select $1::smallint, ${reads.join(', ')}
     from rows from (${sets.join(', ')}) as given(${columns.join(', ')})
     on conflict (${keys}) do update set ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [market, ...given],
  )
}

async function remove(sql: AnySql, table: Table, market: number, keys: readonly RowKey[]): Promise<void> {
  const parts = keys.map(splitKey)
  const ids = parts.map(([, key]) => key)
  if (table.name === 'entity') {
    const kinds = parts.map(([kind]) => kind)
    await sql`delete from entity where market = ${market} and (kind, key) in (
      select * from unnest(${list(kinds)}::text[], ${list(ids)}::text[]))`
  } else if (table.name === 'task') {
    await sql`delete from task where market = ${market} and key = any(${list(ids)}::bigint[])`
  } else {
    await sql`delete from ${sql(table.name)} where market = ${market} and key in (
      select decode(substr(id, 3), 'hex') from unnest(${list(ids)}::text[]) as given(id))`
  }
}
