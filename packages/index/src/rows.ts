import { markets } from '@svc/protocol'
import { type FoldedTask, parseEntity } from '@svc/protocol/internal/fold'
import type { Fragment } from 'postgres'
import type { Address } from 'viem'
import { saveSearchRows, type TaskChange } from './searchRows.ts'
import { type AnySql, toJsonArray, toPgArray } from './sql.ts'
import { getTable, type Owner, parseRowKey, type Row, type RowKey, type Table } from './tables.ts'

/** Loads these rows, without those that do not exist. */
export async function loadRows(sql: AnySql, market: number, keys: Iterable<RowKey>): Promise<Map<RowKey, Row>> {
  const rows = new Map<RowKey, Row>()
  for (const [table, group] of Map.groupBy(keys, (key) => getTable(parseRowKey(key)[0]))) {
    const found = await select(sql, table, market, group)
    for (const { id, state } of found) rows.set(id as RowKey, parseEntity(state) as Row)
  }
  return rows
}

/** Loads the same rows with the columns that `tables.ts` adds to the state. */
export async function loadFullRows(sql: AnySql, market: number, keys: Iterable<RowKey>): Promise<Map<RowKey, FullRow>> {
  const rows = new Map<RowKey, FullRow>()
  for (const [table, group] of Map.groupBy(keys, (key) => getTable(parseRowKey(key)[0]))) {
    const texts = table.columns
      .filter(([name]) => !isKey(name))
      .map(([name, read]) => `, ${read === 'hex' ? `encode(row.${name}, 'hex')` : `row.${name}::text`} as ${name}`)
    const found = await select(sql, table, market, group, sql.unsafe(texts.join('')))
    for (const { id, state, ...columns } of found) rows.set(id as RowKey, { row: parseEntity(state) as Row, columns })
  }
  return rows
}

/** A row with all its columns. */
export interface FullRow {
  row: Row
  columns: Columns
}

/** The columns of a row besides key and state, as text. */
type Columns = Readonly<Record<string, string | null>>

/** Computes the columns that a row must have. */
export function computeColumns(key: RowKey, row: Row, owner: Owner): Columns {
  const [kind, id] = parseRowKey(key)
  const { columns, toValues } = getTable(kind)
  const values = toValues(kind, id, row, owner)
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
  const parts = keys.map(parseRowKey)
  const name = sql(table.name)
  if (table.name === 'entity') {
    return sql<FoundRow[]>`
      select case when key = '' then kind else kind || ':' || key end as id, state
      from ${name} where market = ${market} and (kind, key) in (
        select * from unnest(${toPgArray(parts.map(([kind]) => kind))}::text[], ${toPgArray(parts.map(([, key]) => key))}::text[]))`
  }
  // Keys contain checksummed addresses and the table has bytes, so each row is returned with the key that was asked for.
  const wanted = parts.map(([, key]) => (table.name === 'task' ? key : key.slice(2)))
  const read = table.name === 'task' ? sql`wanted.key::bigint` : sql`decode(wanted.key, 'hex')`
  return sql<FoundRow[]>`
    select wanted.id, row.state ${columns}
    from unnest(${toPgArray(keys)}::text[], ${toPgArray(wanted)}::text[]) as wanted(id, key)
    join ${name} row on row.market = ${market} and row.key = ${read}`
}

/** Saves rows, each with its state as JSON text; null deletes a row. `registry` is the TaskRegistry of the market. */
export async function saveRows(
  sql: AnySql,
  market: number,
  registry: Address,
  changes: Iterable<readonly [key: RowKey, change: { row: Row; state: string } | null]>,
): Promise<void> {
  const name = markets[market]
  if (!name) throw new RangeError(`Market ${market} does not exist.`)
  for (const [table, group] of Map.groupBy(changes, ([key]) => getTable(parseRowKey(key)[0]))) {
    const deleted = group.filter(([, change]) => change === null).map(([key]) => key)
    if (deleted.length > 0) await remove(sql, table, market, deleted)
    const saved = group.flatMap(([key, change]) => {
      if (!change) return []
      const [kind, id] = parseRowKey(key)
      return [[...table.toValues(kind, id, change.row, { market: name, registry }), change.state]]
    })
    if (saved.length > 0) await upsert(sql, table, market, saved)
    if (table.name === 'task') await saveSearchRows(sql, market, group.map(toTaskChange))
  }
}

const toTaskChange = ([key, change]: readonly [RowKey, { row: Row } | null]): TaskChange => [
  parseRowKey(key)[1],
  (change?.row ?? null) as FoldedTask | null,
]

async function upsert(
  sql: AnySql,
  table: Table,
  market: number,
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const all = [...table.columns, ['state', 'json']] as const
  const columns = all.map(([name]) => name)
  const reads = all.map(([name, read]) =>
    read === 'json'
      ? name
      : read === 'open json'
        ? `left(${name}, -1)`
        : read === 'hex'
          ? `decode(${name}, 'hex')`
          : `${name}${read}`,
  )
  const keys = table.name === 'entity' ? 'market, kind, key' : 'market, key'
  const rest = columns.filter((name) => name !== 'key' && name !== 'kind')
  const given = all.map(([, read], index) => {
    const values = rows.map((row) => row[index] ?? null)
    if (read === 'json') return toJsonArray(values)
    return read === 'open json' ? toJsonArray(values.map((text) => `${text}}`)) : toPgArray(values)
  })
  const sets = all.map(([, read], index) =>
    read.endsWith('json') ? `json_array_elements_text($${index + 2}::text::json)` : `unnest($${index + 2}::text[])`,
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
  const parts = keys.map(parseRowKey)
  const ids = parts.map(([, key]) => key)
  if (table.name === 'entity') {
    const kinds = parts.map(([kind]) => kind)
    await sql`delete from entity where market = ${market} and (kind, key) in (
      select * from unnest(${toPgArray(kinds)}::text[], ${toPgArray(ids)}::text[]))`
  } else if (table.name === 'task') {
    await sql`delete from task where market = ${market} and key = any(${toPgArray(ids)}::bigint[])`
  } else {
    await sql`delete from ${sql(table.name)} where market = ${market} and key in (
      select decode(substr(id, 3), 'hex') from unnest(${toPgArray(ids)}::text[]) as given(id))`
  }
}
