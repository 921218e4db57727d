// pnpm chaos providers [--seeds N] [--from SEED]: an index behind two or three providers of which one has limits or lies.
import { startDatabases } from '../shared/databases.ts'
import { listSeeds, parseOptions, runEach, runSuite } from '../shared/suite.ts'
import { listCasesOfSeed } from './cases.ts'
import { runCase } from './runCase.ts'

/** So many seeds run every case once. */
const allSeeds = 40
const options = parseOptions({ seeds: allSeeds, from: 1 })
const cases = listSeeds(options).flatMap((seed) =>
  listCasesOfSeed(seed, allSeeds).map((each, index) => ({ seed, index, each })),
)

await runSuite(options, startDatabases, ({ use }) =>
  runEach(
    cases.map(({ seed, index, each }) => ({
      name: `seed ${seed}, ${each.faults.join(' + ')}, ${each.liars ?? 1} of ${each.providers}`,
      rerun: `pnpm chaos providers --seeds 1 --from ${seed}`,
      play: async () => {
        const report = await use(`case_${seed}_${index}`, (url) => runCase({ seed, url, ...each }))
        const { verdict, why, stalls, doubted } = report
        const named = doubted.length > 0 ? `, doubted ${doubted.join()}` : ''
        return {
          figures: { [verdict]: 1, stalls },
          text: `${verdict}, ${stalls} stalls${named}${verdict === 'stalled' ? `: ${why}` : ''}`,
          faults: verdict === 'failed' ? [why ?? ''] : [],
        }
      },
    })),
  ),
)
