// node chaos/whole/main.ts [--seeds N] [--seed S] [--tasks N] [--wallets N] [--seconds N] [--beside N] [--twice] [--counts FILE]:
// random lives of tasks through the API, the gateway, svc-prepare, MCP tools and messages, on a real chain with the real
// processes, while blocks are taken back, processes and the database are killed and providers lie. At the end half of the wallets
// take home all they have, and contracts, index, ledgers, quota, streams, transcripts and requests must agree to the wei.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Played, playSeed, stopAll } from './seed.ts'
import { wordsOf } from './tally.ts'

const { values } = parseArgs({
  options: {
    /** So many seeds are played, beginning with `seed`. */
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '200' },
    wallets: { type: 'string', default: '20' },
    /** Seconds of the chain, a block each, before its clock is put forward from one deadline to the next. */
    seconds: { type: 'string', default: '600' },
    /** So many seeds are played at the same time, each on a chain and a database of its own. */
    beside: { type: 'string', default: '1' },
    /** Plays each seed again, and demands the same last block. */
    twice: { type: 'boolean', default: false },
    /** Where to leave how many seeds passed and failed. */
    counts: { type: 'string' },
  },
})
const [seeds, first, tasks, wallets, seconds] = (['seeds', 'seed', 'tasks', 'wallets', 'seconds'] as const).map(
  (name) => Number(values[name]),
) as [number, number, number, number, number]
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(1)))
}

const shown = ['kills', 'lies', 'requests', 'prepared by', 'deeds', 'states', 'stream', 'compared', 'answers']
const count = { passed: 0, failed: 0 }
const began = Date.now()
let [blocks, reorgs] = [0n, 0]
let next = first
await Promise.all(Array.from({ length: Math.min(Number(values.beside), seeds) }, playOn))
const took = Math.round((Date.now() - began) / 1000)
console.log(
  `${seeds} seeds of ${tasks} tasks, ${blocks} blocks, ${reorgs} reorganisations in ${took} s, ${count.failed} false; load ${loadavg()[0]?.toFixed(1)}`,
)
if (values.counts) await writeFile(values.counts, JSON.stringify(count))
process.exit(count.failed === 0 ? 0 : 1)

/** Plays seeds, one after the other, as long as there are any. */
async function playOn(): Promise<void> {
  for (let seed = next++; seed < first + seeds; seed = next++) {
    const options = { seed, tasks, wallets, seconds }
    const played = await playSeed(options)
    report(seed, played)
    const faults = [...played.tally.faults]
    if (values.twice) {
      const again = await playSeed(options)
      faults.push(...again.tally.faults)
      if (again.digest !== played.digest) faults.push(`The second time the last block is ${again.digest}.`)
    }
    count[faults.length > 0 ? 'failed' : 'passed']++
    blocks += played.blocks
    reorgs += played.reorgs
    for (const fault of faults) console.log(`  FALSE ${fault}`)
    if (faults.length > 0) {
      console.log(`  again: pnpm chaos whole --seed ${seed} --tasks ${tasks} --wallets ${wallets} --seconds ${seconds}`)
    }
  }
}

function report(seed: number, { digest, blocks, reorgs, deepest, seconds, tally }: Played): void {
  const words = shown.map((group) => `${group}: ${wordsOf(tally, group)}`)
  console.log(
    `${tally.faults.length > 0 ? 'FALSE' : 'true '} seed ${seed}: ${digest}, ${blocks} blocks, ${reorgs} reorganisations, deepest ${deepest}, ${seconds} s; ${words.join('; ')}`,
  )
}
