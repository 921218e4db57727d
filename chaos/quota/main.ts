// pnpm chaos quota [--rounds N] [--from SEED]: four replicas, racing and forged records and upgrades, Postgres killed, reorgs.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { connectDatabase } from '../../apps/api/src/database.ts'
import { startCluster } from '../../test/harness/cluster.ts'
import { startIndexedWorld } from '../../test/harness/indexed.ts'
import { fillWithPosters } from '../../test/harness/posters.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'
import { startService } from '../../test/harness/service.ts'
import { runRound } from './round.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    records: { type: 'string', default: '1000' },
    upgrades: { type: 'string', default: '500' },
    /** File for the number of passed and failed rounds. */
    counts: { type: 'string' },
  },
  allowPositionals: true,
})

const cluster = await startCluster(['max_connections=120'])
try {
  process.exitCode = (await runRounds()) ? 0 : 1
} finally {
  await cluster.remove()
}

async function runRounds(): Promise<boolean> {
  const world = await startIndexedWorld({
    fill: fillWithPosters,
    database: () => createTestDatabaseIn(cluster.url, 'quota'),
    onStalled: () => {},
  })
  const pools = Array.from({ length: 4 }, () => connectDatabase(world.database.url))
  const replicas = await Promise.all(pools.map((sql) => startService({ ...world, sql })))
  const started = Date.now()
  const sum = { requests: 0, away: 0, kills: 0 }
  const [first, count] = [Number(values.from), Number(values.rounds)]
  let failed = 0
  for (let seed = first; seed < first + count; seed++) {
    const at = Date.now()
    try {
      const [records, upgrades] = [Number(values.records), Number(values.upgrades)]
      const report = await runRound({ seed, world, replicas, restart: cluster.restart, records, upgrades })
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += report[name]
      console.log(`round ${seed}: ${JSON.stringify(report)} in ${Date.now() - at} ms: ok`)
    } catch (error) {
      failed++
      console.log(`round ${seed}: FAILED: ${(error as Error).stack?.slice(0, 2_000)}`)
      console.log(`Rerun: pnpm chaos quota --rounds 1 --from ${seed}`)
    }
  }
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${count} rounds in ${seconds} s, ${failed} failed; ${JSON.stringify(sum)}`)
  if (values.counts) await writeFile(values.counts, JSON.stringify({ passed: count - failed, failed }))
  for (const replica of replicas) await replica.stop()
  for (const sql of pools) await sql.end({ timeout: 1 })
  await world.stop()
  return failed === 0
}
