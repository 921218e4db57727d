import type { Sql } from 'postgres'
import { startCluster } from '../../test/harness/cluster.ts'
import { findTargets } from './cases.ts'
import { fill, settings } from './fill.ts'
import { isSlower, type Measured, measure, type Side } from './measure.ts'
import type { Multiplied } from './multiply.ts'
import { explainReads, faultsOf } from './plans.ts'
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

/** Fills a small and a large build in one Postgres of its own, looks at the plans and times the reads in both. */
export async function runScale({ tasks, events, smallTasks, runs, log }: ScaleOptions): Promise<ScaleReport> {
  const cluster = await startCluster(settings)
  const clients: Sql[] = []
  try {
    const side = async (name: string, wanted: { tasks: number; events: number }) => {
      const filled = await fill(cluster, name, wanted, log)
      clients.push(filled.sql)
      return { ...filled, targets: await findTargets(filled.sql, filled.made.busiest) }
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
