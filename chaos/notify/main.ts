// pnpm chaos notify [--kills N] [--seed SEED] [--lives N]: two notifiers follow a random chain with reorganisations and send to a receiver,
// while notifiers, Postgres and the receiver are killed. Every event is delivered or reported as failed, repeats have the same id, and the
// messages of a task stay in order. With --lives, also whole lives against a plain reading of the rules.
import { startDatabases } from '../shared/databases.ts'
import { listSeeds, parseOptions, type Run, runEach, runSuite } from '../shared/suite.ts'
import { runKills } from './kills.ts'
import { runLife } from './life.ts'

const options = parseOptions({ kills: 100, seed: 1, lives: 0 })
const { kills, seed, lives } = options

await runSuite(options, startDatabases, ({ cluster, use }) => {
  const killing: Run = {
    name: `seed ${seed}`,
    rerun: `pnpm chaos notify --kills ${kills} --seed ${seed}`,
    play: async () => {
      const report = await use('notify_kills', (url) => runKills({ seed, url, kills, cluster }))
      const { faults, ...figures } = report
      return { figures, faults }
    },
  }
  const living = listSeeds({ seeds: lives, from: seed }).map((life) => ({
    name: `life ${life}`,
    rerun: `pnpm chaos notify --kills 0 --seed ${life} --lives 1`,
    play: async () => {
      const { faults, ...figures } = await use(`life_${life}`, (url) => runLife({ seed: life, url, rounds: 25 }))
      return { figures, faults }
    },
  }))
  return runEach([...(kills > 0 ? [killing] : []), ...living])
})
