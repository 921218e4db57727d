// pnpm chaos process [--kills N] [--seed SEED]: the real indexer as a process, killed, frozen, cut off, replaced.
// With fewer than 100 kills the rest is shortened too, and nobody is frozen.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createRandom } from '../sim/random.ts'
import { killWhileIndexing } from './kills.ts'
import { rebuildBesideReaders } from './rebuild.ts'
import { playScenes } from './scenes.ts'
import { type Finding, setStage } from './stage.ts'
import { cutWriters, freezeWriter, killWriters } from './standby.ts'
import { startBeforeDatabase, startBeforeProviders, tellToStop } from './starts.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    /** Where to leave how many scenes passed and failed. */
    counts: { type: 'string' },
    /** Plays only scenes whose name has this in it. */
    only: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const [kills, seed] = [Number(values.kills), Number(values.seed)]
const long = kills >= 100
const stage = await setStage(seed, 400)
const random = createRandom(seed, 5)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stage.close().finally(() => process.exit(1)))
}

const scenes: Record<string, () => Promise<Finding>> = {
  kills: () => killWhileIndexing(stage, kills, random),
  standby: () => killWriters(stage, long ? 20 : 2, random),
  cuts: () => cutWriters(stage, long ? 40 : 5, random),
  stops: () => tellToStop(stage, long ? 10 : 1, random),
  database: () => startBeforeDatabase(stage, long ? 25_000 : 1_000),
  providers: () => startBeforeProviders(stage, long ? 25_000 : 1_000),
  ...(long && { freeze: () => freezeWriter(stage) }),
  rebuild: () => rebuildBesideReaders(stage, long ? 200 : 10),
}

const started = Date.now()
try {
  const { passed, failed } = await playScenes(scenes, values.only)
  const { mined, reorgs, deepest } = stage.chain.blocks()
  const seconds = Math.round((Date.now() - started) / 1000)
  const load = loadavg()[0]?.toFixed(1)
  console.log(
    `${passed + failed} scenes in ${seconds} s, ${failed} false; ${mined} blocks, ${reorgs} reorgs to ${deepest} deep; load ${load}`,
  )
  if (values.counts) await writeFile(values.counts, JSON.stringify({ passed, failed }))
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await stage.close()
}
process.exit()
