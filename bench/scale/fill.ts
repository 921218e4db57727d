import { readConnectionSettings } from '@svc/index'
import postgres, { type Sql } from 'postgres'
import type { Cluster } from '../../test/harness/cluster.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'
import { type Multiplied, multiplyHistory } from './multiply.ts'
import { seedBuild } from './seed.ts'

/** Everything in memory and nothing durable, because only reads are measured. */
export const postgresSettings = [
  'shared_buffers=6GB',
  'fsync=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=16GB',
  'autovacuum=off',
  'maintenance_work_mem=512MB',
]

/** A database with a filled index. */
export interface Filled {
  url: string
  sql: Sql
  made: Multiplied
}

/** Creates a database of this name in a cluster, fills it and logs how long it took. */
export async function fillDatabase(
  cluster: Cluster,
  name: string,
  wanted: { tasks: number; events: number },
  log: (line: string) => void,
): Promise<Filled> {
  const started = Date.now()
  const { url } = await createTestDatabaseIn(cluster.url, name)
  await seedBuild({ url, blocks: 400 })
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection: readConnectionSettings })
  const made = await multiplyHistory(sql, wanted)
  log(`${name}: ${made.tasks} tasks, ${made.events} events in ${Math.round((Date.now() - started) / 1000)} s`)
  return { url, sql, made }
}
