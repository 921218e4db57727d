import { readingSettings } from '@svc/index'
import postgres, { type Sql } from 'postgres'
import type { Cluster } from '../../test/harness/cluster.ts'
import { createDatabaseIn } from '../../test/harness/postgres.ts'
import { type Multiplied, multiply } from './multiply.ts'
import { seedBuild } from './seed.ts'

/** Few clients at a time, everything in memory, nothing of it to be kept: the question is what reading costs. */
export const settings = [
  'shared_buffers=6GB',
  'fsync=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=16GB',
  'autovacuum=off',
  'maintenance_work_mem=512MB',
]

/** A database whose index has so many tasks and events. */
export interface Filled {
  url: string
  sql: Sql
  made: Multiplied
}

/** Makes a database of this name in a cluster and fills it; says how long it took. */
export async function fill(
  cluster: Cluster,
  name: string,
  wanted: { tasks: number; events: number },
  log: (line: string) => void,
): Promise<Filled> {
  const started = Date.now()
  const { url } = await createDatabaseIn(cluster.url, name)
  await seedBuild({ url, blocks: 400 })
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection: readingSettings })
  const made = await multiply(sql, wanted)
  log(`${name}: ${made.tasks} tasks, ${made.events} events in ${Math.round((Date.now() - started) / 1000)} s`)
  return { url, sql, made }
}
