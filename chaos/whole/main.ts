// node chaos/whole/main.ts [--seeds N] [--seed S] [--tasks N] [--wallets N] [--seconds N] [--parallel N] [--kept N] [--twice]
// [--counts FILE]:
// random task lifecycles through the API, the gateway, svc-prepare, MCP tools, messages and a store, on a real chain with the
// real processes, while blocks are reorganised, processes, the database and the store's folder are killed and providers fail. At
// the end half of the wallets withdraw everything, contracts, index, ledgers, quota, streams, transcripts and requests must agree
// to the wei, and posters must be able to open every delivery.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { runWholeSeed, stopAllSeeds, type WholeSeedReport } from './seed.ts'
import { formatCounts } from './tally.ts'

const { values } = parseArgs({
  options: {
    /** How many seeds to run, starting with `seed`. */
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '200' },
    wallets: { type: 'string', default: '20' },
    /** Seconds of chain time with one block each, before the clock jumps from one deadline to the next. */
    seconds: { type: 'string', default: '600' },
    /** How many seeds run at the same time, each with its own chain and database. */
    parallel: { type: 'string', default: '1' },
    /** Tasks that are left to a keeper, besides the others. Its transactions come when they come, so blocks differ between runs. */
    kept: { type: 'string', default: '3' },
    /** Runs each seed twice, and requires the same last block. Without a keeper and a store. */
    twice: { type: 'boolean', default: false },
    /** File for the number of passed and failed seeds. */
    counts: { type: 'string' },
  },
})
const [seeds, first, tasks, wallets, seconds] = (['seeds', 'seed', 'tasks', 'wallets', 'seconds'] as const).map(
  (name) => Number(values[name]),
) as [number, number, number, number, number]
const kept = values.twice ? 0 : Number(values.kept)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopAllSeeds().finally(() => process.exit(1)))
}

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
const count = { passed: 0, failed: 0 }
const began = Date.now()
let [blocks, reorgs] = [0n, 0]
let next = first
await Promise.all(Array.from({ length: Math.min(Number(values.parallel), seeds) }, runSeeds))
const took = Math.round((Date.now() - began) / 1000)
console.log(
  `${seeds} seeds of ${tasks} tasks, ${blocks} blocks, ${reorgs} reorganisations in ${took} s, ${count.failed} failed; load ${loadavg()[0]?.toFixed(1)}`,
)
if (values.counts) await writeFile(values.counts, JSON.stringify(count))
process.exit(count.failed === 0 ? 0 : 1)

/** Runs seeds one after another until none is left. */
async function runSeeds(): Promise<void> {
  for (let seed = next++; seed < first + seeds; seed = next++) {
    const options = { seed, tasks, wallets, seconds, kept, withStore: !values.twice }
    const played = await runWholeSeed(options)
    report(seed, played)
    const faults = [...played.tally.failures]
    if (values.twice) {
      const again = await runWholeSeed(options)
      faults.push(...again.tally.failures)
      if (again.digest !== played.digest) faults.push(`The second time the last block is ${again.digest}.`)
    }
    count[faults.length > 0 ? 'failed' : 'passed']++
    blocks += played.blocks
    reorgs += played.reorgs
    for (const fault of faults) console.log(`  FAILED ${fault}`)
    if (faults.length > 0) {
      console.log(
        `  rerun: pnpm chaos whole --seed ${seed} --tasks ${tasks} --wallets ${wallets} --seconds ${seconds} --kept ${kept}`,
      )
    }
  }
}

function report(seed: number, { digest, blocks, reorgs, deepest, seconds, tally }: WholeSeedReport): void {
  const words = shownGroups.map((group) => `${group}: ${formatCounts(tally, group)}`)
  console.log(
    `${tally.failures.length > 0 ? 'FAILED' : 'ok    '} seed ${seed}: ${digest}, ${blocks} blocks, ${reorgs} reorganisations, deepest ${deepest}, ${seconds} s; ${words.join('; ')}`,
  )
}
