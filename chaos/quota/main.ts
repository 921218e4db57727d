// pnpm chaos quota [--rounds N] [--from SEED] [--records N] [--upgrades N]: four replicas, racing and forged records and upgrades,
// Postgres killed, reorgs.
import { connectDatabase } from '../../apps/api/src/database.ts'
import { startCluster } from '../../test/harness/cluster.ts'
import { startIndexedWorld } from '../../test/harness/indexed.ts'
import { fillWithPosters } from '../../test/harness/posters.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'
import { startService } from '../../test/harness/service.ts'
import { listSeeds, parseOptions, runEach, runSuite } from '../shared/suite.ts'
import { runRound } from './round.ts'

const options = parseOptions({ rounds: 20, from: 1, records: 1_000, upgrades: 500 })
const { rounds, from, records, upgrades } = options

await runSuite(options, startReplicas, ({ restart, world, replicas }) =>
  runEach(
    listSeeds({ seeds: rounds, from }).map((seed) => ({
      name: `round ${seed}`,
      rerun: `pnpm chaos quota --rounds 1 --from ${seed}`,
      play: async () => ({ figures: await runRound({ seed, world, replicas, restart, records, upgrades }) }),
    })),
  ),
)

async function startReplicas() {
  const cluster = await startCluster(['max_connections=120'])
  const world = await startIndexedWorld({
    fill: fillWithPosters,
    database: () => createTestDatabaseIn(cluster.url, 'quota'),
    onStalled: () => {},
  })
  const pools = Array.from({ length: 4 }, () => connectDatabase(world.database.url))
  const replicas = await Promise.all(pools.map((sql) => startService({ ...world, sql })))
  return {
    restart: cluster.restart,
    world,
    replicas,
    async stop() {
      for (const replica of replicas) await replica.stop()
      for (const sql of pools) await sql.end({ timeout: 1 })
      await world.stop()
      await cluster.remove()
    },
  }
}
