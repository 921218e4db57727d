import type { Sql } from 'postgres'

/** Tables whose rows are equal in every build at the same block. Headers and journals are not: they depend on how it got there. */
const indexTables = ['cursor', 'event', 'task', 'agent', 'arbitrator', 'entity'] as const
const postingTables = ['post', 'payment'] as const

/** The number of rows of a table, and a digest over them in the order of their text. */
export interface TableDigest {
  table: string
  rows: number
  digest: string
}

/** Computes the digests of an index build and of the posting tables. */
export async function digestTables(sql: Sql, schema: string): Promise<TableDigest[]> {
  const tables = [
    ...indexTables.map((table) => `${schema}.${table}`),
    ...postingTables.map((table) => `posting.${table}`),
  ]
  const digests: TableDigest[] = []
  for (const table of tables) {
    // Rows are hashed one by one first, because all texts together would not fit into one value. The finalized block of a cursor
    // is left out: it is read from time to time, so it depends on when the last block was written.
    const [row] = await sql<{ rows: string; digest: string | null }[]>`
      select count(*) as rows, encode(sha256(string_agg(hash, '' order by hash)), 'hex') as digest
      from (select sha256(convert_to((to_jsonb(t) - 'finalized')::text, 'utf8')) as hash from ${sql(table)} t) hashed`
    digests.push({ table, rows: Number(row?.rows), digest: row?.digest ?? '' })
  }
  return digests
}
