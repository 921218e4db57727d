import { readingSettings } from '@svc/index'
import postgres, { type Sql } from 'postgres'
import { startCluster } from '../../test/harness/cluster.ts'
import { createDatabaseIn } from '../../test/harness/postgres.ts'
import { findTargets } from './cases.ts'
import { isSlower, type Measured, measure, type Side } from './measure.ts'
import { type Multiplied, multiply } from './multiply.ts'
import { explainReads, faultsOf } from './plans.ts'
import { seedBuild } from './seed.ts'
import { type Size, sizesOf } from './sizes.ts'

export interface ScaleOptions {
  /** Both markets together. */
  tasks: number
  events: number
  /** Tasks of the build that the large one is compared with; events in proportion. */
  smallTasks: number
  runs: number
  log: (line: string) => void
}

export interface ScaleReport {
  small: Multiplied
  large: Multiplied
  measured: readonly Measured[]
  sizes: readonly Size[]
  /** What must not be in a plan, and reads that became too slow. */
  faults: readonly string[]
}

// Two clients at a time, everything in memory, nothing of it to be kept: the question is what reading costs.
const settings = [
  'shared_buffers=6GB',
  'fsync=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=16GB',
  'autovacuum=off',
  'maintenance_work_mem=512MB',
]

/** Fills a small and a large build in one Postgres of its own, looks at the plans and times the reads in both. */
export async function runScale({ tasks, events, smallTasks, runs, log }: ScaleOptions): Promise<ScaleReport> {
  const cluster = await startCluster(settings)
  const clients: Sql[] = []
  try {
    const side = async (name: string, wanted: { tasks: number; events: number }) => {
      const started = Date.now()
      const { url } = await createDatabaseIn(cluster.url, name)
      await seedBuild({ url, blocks: 400 })
      const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection: readingSettings })
      clients.push(sql)
      const made = await multiply(sql, wanted)
      const targets = await findTargets(sql, made.busiest)
      log(`${name}: ${made.tasks} tasks, ${made.events} events in ${Math.round((Date.now() - started) / 1000)} s`)
      return { url, made, sql, targets }
    }
    const small = await side('small', { tasks: smallTasks, events: Math.round((events * smallTasks) / tasks) })
    const large = await side('large', { tasks, events })
    const plans = await explainReads(large.url, large.targets)
    const measured = await measure(small satisfies Side, large satisfies Side, runs)
    const slower = measured.filter(isSlower)
    return {
      small: small.made,
      large: large.made,
      measured,
      sizes: await sizesOf(large.sql, 'index_full'),
      faults: [
        ...plans.flatMap(faultsOf),
        ...slower.map(({ name, small, large }) => `${name}: ${(large.p50 / small.p50).toFixed(2)} times as slow`),
      ],
    }
  } finally {
    await Promise.all(clients.map((sql) => sql.end({ timeout: 1 })))
    await cluster.remove()
  }
}
