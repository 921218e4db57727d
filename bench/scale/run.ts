import type { Sql } from 'postgres'
import { startCluster } from '../../test/harness/cluster.ts'
import { findTargets } from './cases.ts'
import { fillDatabase, postgresSettings } from './fill.ts'
import { isSlower, type Measured, measureReads, type Side } from './measure.ts'
import type { Multiplied } from './multiply.ts'
import { explainReads, findPlanFaults, type ReadPlan } from './plans.ts'

export interface ScaleOptions {
  /** Of both markets together. */
  tasks: number
  events: number
  /** Tasks of the small build, with events in proportion. */
  smallTasks: number
  runs: number
  /** Memory of Postgres for pages, instead of more than both builds need. */
  buffers?: string | undefined
  log: (line: string) => void
}

export interface ScaleReport {
  small: Multiplied
  large: Multiplied
  measured: readonly Measured[]
  /** How each read is executed in the large build. */
  plans: readonly ReadPlan[]
  /** The same in the small one, where a list can be shorter. */
  inSmall: readonly ReadPlan[]
  sizes: readonly Size[]
  /** Faulty plans, and reads that are too slow. */
  faults: readonly string[]
}

/** Fills a small and a large build in one Postgres, checks the plans and times the reads in both. */
export async function runScale(options: ScaleOptions): Promise<ScaleReport> {
  const { tasks, events, smallTasks, runs, buffers, log } = options
  // The last one of a setting counts.
  const cluster = await startCluster([...postgresSettings, ...(buffers ? [`shared_buffers=${buffers}`] : [])])
  const clients: Sql[] = []
  try {
    const side = async (name: string, wanted: { tasks: number; events: number }) => {
      const filled = await fillDatabase(cluster, name, wanted, log)
      clients.push(filled.sql)
      return { ...filled, targets: await findTargets(filled.sql, filled.made.busiest) }
    }
    const small = await side('small', { tasks: smallTasks, events: Math.round((events * smallTasks) / tasks) })
    const large = await side('large', { tasks, events })
    const plans = await explainReads(large.url, large.targets)
    const inSmall = await explainReads(small.url, small.targets)
    const measured = await measureReads(small satisfies Side, large satisfies Side, runs)
    const slower = measured.filter(isSlower)
    return {
      small: small.made,
      large: large.made,
      measured,
      plans,
      inSmall,
      sizes: await readTableSizes(large.sql, 'index_full'),
      faults: [
        ...plans.flatMap(findPlanFaults),
        ...slower.map(({ name, small, large }) => `${name}: ${(large.p50 / small.p50).toFixed(2)} times as slow`),
      ],
    }
  } finally {
    await Promise.all(clients.map((sql) => sql.end({ timeout: 1 })))
    await cluster.remove()
  }
}

/** The size of a table on disk, in bytes. */
interface Size {
  table: string
  rows: number
  heap: number
  indexes: number
}

/** Reads the table sizes of a build, including values that are stored out of line. */
async function readTableSizes(sql: Sql, schema: string): Promise<Size[]> {
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
