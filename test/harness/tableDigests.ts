import type { Sql } from 'postgres'

/** Tables whose rows are the same in every build at the same block; how many headers and journals are kept depends on the way there. */
const indexTables = ['cursor', 'event', 'task', 'agent', 'arbitrator', 'entity'] as const
const postingTables = ['post', 'payment'] as const

/** How many rows a table has, and a digest over all of them in the order of their text. */
export interface TableDigest {
  table: string
  rows: number
  digest: string
}

/** Digests of a build of the index, and of the posting tables. */
export async function tableDigests(sql: Sql, schema: string): Promise<TableDigest[]> {
  const tables = [
    ...indexTables.map((table) => `${schema}.${table}`),
    ...postingTables.map((table) => `posting.${table}`),
  ]
  const digests: TableDigest[] = []
  for (const table of tables) {
    // Rows are hashed one by one first: all texts together would not fit into one value.
    const [row] = await sql<{ rows: string; digest: string | null }[]>`
      select count(*) as rows, encode(sha256(string_agg(hash, '' order by hash)), 'hex') as digest
      from (select sha256(convert_to(t::text, 'utf8')) as hash from ${sql(table)} t) hashed`
    digests.push({ table, rows: Number(row?.rows), digest: row?.digest ?? '' })
  }
  return digests
}
