import type { Sql } from 'postgres'

/** What a table of a build takes on disk, in bytes. */
export interface Size {
  table: string
  rows: number
  heap: number
  indexes: number
}

/** The sizes of the tables of a build; large values that lie apart count to their table. */
export async function sizesOf(sql: Sql, schema: string): Promise<Size[]> {
  const rows = await sql<{ table: string; rows: string; heap: string; indexes: string }[]>`
    select relname as table, reltuples::bigint as rows, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes
    from pg_class where relnamespace = ${schema}::regnamespace and relkind = 'r' order by relname`
  return rows.map(({ table, rows, heap, indexes }) => ({
    table,
    rows: Number(rows),
    heap: Number(heap),
    indexes: Number(indexes),
  }))
}
