// pnpm chaos store [--seeds N] [--from SEED]: deliveries to two replicas of the store while replicas, the object store (Swift, if
// it is installed) and Postgres are killed. Nothing acknowledged is lost, and there is no receipt for what is not held.
import { listSeeds, parseOptions, runEach, runSuite } from '../shared/suite.ts'
import { runStoreSeed } from './seed.ts'
import { startStoreWorld } from './world.ts'

const options = parseOptions({ seeds: 10, from: 1 })

// A task holds about ten deliveries of this size.
const start = () => startStoreWorld(8 + options.seeds)
await runSuite(options, start, (world) =>
  runEach(
    listSeeds(options).map((seed) => ({
      name: `seed ${seed}`,
      rerun: `pnpm chaos store --seeds 1 --from ${seed}`,
      play: async () => {
        const { kills, ...rest } = await runStoreSeed(world, seed)
        return { figures: { ...rest, ...kills } }
      },
    })),
  ),
)
