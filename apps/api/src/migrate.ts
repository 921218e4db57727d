import { readdir, readFile } from 'node:fs/promises'
import type { Sql } from 'postgres'

const migrations = new URL('../migrations/', import.meta.url)

/** Creates the missing tables of the schema `posting`. Replicas that start together take turns. */
export async function migrate(sql: Sql): Promise<void> {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort()
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('svc_posting_migrations'))`
    await transaction`create schema if not exists posting`
    await transaction`create table if not exists posting.migration (file text primary key)`
    for (const file of files) {
      const { count } = await transaction`insert into posting.migration values (${file}) on conflict do nothing`
      if (count === 1) await transaction.unsafe(await readFile(new URL(file, migrations), 'utf8'))
    }
  })
}
