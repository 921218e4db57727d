// pnpm chaos whole [--seeds N] [--seed S] [--tasks N] [--wallets N] [--seconds N] [--parallel N] [--kept N] [--twice]:
// random task lifecycles through the API, the gateway, svc-prepare, MCP tools, messages and a store, on a real chain with the
// real processes, while blocks are reorganised, processes, the database and the store's folder are killed and providers fail. At
// the end half of the wallets withdraw everything, contracts, index, ledgers, quota, streams, transcripts and requests must agree
// to the wei, and posters must be able to open every delivery.
import { listSeeds, parseOptions, runEach, runSuite } from '../shared/suite.ts'
import { runWholeSeed, stopAllSeeds } from './seed.ts'
import { formatCounts } from './tally.ts'

const options = parseOptions({
  /** How many seeds to run, starting with `seed`. */
  seeds: 1,
  seed: 1,
  tasks: 200,
  wallets: 20,
  /** Seconds of chain time with one block each, before the clock jumps from one deadline to the next. */
  seconds: 600,
  /** How many seeds run at the same time, each with its own chain and database. */
  parallel: 1,
  /** Tasks that are left to a keeper, besides the others. Its transactions come when they come, so blocks differ between runs. */
  kept: 3,
  /** Runs each seed twice, and requires the same last block. Without a keeper and a store. */
  twice: false,
})
const { tasks, wallets, seconds, twice } = options
const kept = twice ? 0 : options.kept

const shownGroups = [
  'kills',
  'provider faults',
  'requests',
  'prepared by',
  'quota refusals',
  'actions',
  'keeper',
  'store',
  'states',
  'stream',
  'compared',
  'answers',
]

const runs = listSeeds({ seeds: options.seeds, from: options.seed }).map((seed) => ({
  name: `seed ${seed}`,
  rerun: `pnpm chaos whole --seed ${seed} --tasks ${tasks} --wallets ${wallets} --seconds ${seconds} --kept ${kept}`,
  play: async () => {
    const play = () => runWholeSeed({ seed, tasks, wallets, seconds, kept, withStore: !twice })
    const played = await play()
    const { digest, reorgs, deepest, tally } = played
    const again = twice ? await play() : null
    const blocks = Number(played.blocks)
    const words = shownGroups.map((group) => `${group}: ${formatCounts(tally, group)}`)
    return {
      figures: { blocks, reorgs, deepest },
      text: [`${digest}, ${blocks} blocks, ${reorgs} reorganisations, deepest ${deepest}`, ...words].join('; '),
      faults: [
        ...tally.failures,
        ...(again?.tally.failures ?? []),
        ...(again && again.digest !== digest ? [`The second time the last block is ${again.digest}.`] : []),
      ],
    }
  },
}))
const start = async () => ({ stop: stopAllSeeds })
await runSuite(options, start, () => runEach(runs, { parallel: options.parallel, largest: ['deepest'] }))
