import type { Sql } from 'postgres'
import { digestTable, type TableDigest } from '../../apps/admin/src/backup/database.ts'

/** Tables whose rows are equal in every build at the same block. Headers and journals are not: they depend on how it got there. */
const indexTables = ['cursor', 'event', 'task', 'agent', 'arbitrator', 'entity'] as const
const postingTables = ['post', 'payment'] as const

/** Computes the digests of an index build and of the posting tables. */
export async function digestTables(sql: Sql, schema: string): Promise<TableDigest[]> {
  const tables = [
    ...indexTables.map((table) => `${schema}.${table}`),
    ...postingTables.map((table) => `posting.${table}`),
  ]
  const digests: TableDigest[] = []
  // The finalized block of a cursor is read from time to time, so it depends on when the last block was written.
  for (const table of tables) digests.push(await digestTable(sql, table, 'finalized'))
  return digests
}
