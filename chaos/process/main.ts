// pnpm chaos process [--kills N] [--seed SEED]: the real indexer as a process, killed, frozen, cut off, replaced.
// With fewer than 100 kills the other scenarios are shorter too, no writer is frozen, and no upgrade is rolled back.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createRandom } from '../sim/random.ts'
import { type ScenarioResult, startFixture } from './fixture.ts'
import { killWhileIndexing } from './kills.ts'
import { rebuildBesideReaders, rebuildHaltedMarket } from './rebuild.ts'
import { runScenarios } from './scenarios.ts'
import { cutWriters, freezeWriter, killWriters } from './standby.ts'
import { startBeforeDatabase, startBeforeProviders, stopGracefully } from './starts.ts'
import { upgradeAndBack } from './upgrade.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    /** File for the number of passed and failed scenarios. */
    counts: { type: 'string' },
    /** Runs only scenarios whose name contains this. */
    only: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const [kills, seed] = [Number(values.kills), Number(values.seed)]
const long = kills >= 100
const fixture = await startFixture(seed, 400)
const random = createRandom(seed, 5)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void fixture.close().finally(() => process.exit(1)))
}

const scenarios: Record<string, () => Promise<ScenarioResult>> = {
  kills: () => killWhileIndexing(fixture, kills, random),
  standby: () => killWriters(fixture, long ? 20 : 2, random),
  cuts: () => cutWriters(fixture, long ? 40 : 5, random),
  stops: () => stopGracefully(fixture, long ? 10 : 1, random),
  database: () => startBeforeDatabase(fixture, long ? 25_000 : 1_000),
  providers: () => startBeforeProviders(fixture, long ? 25_000 : 1_000),
  ...(long && { freeze: () => freezeWriter(fixture) }),
  rebuild: () => rebuildBesideReaders(fixture, long ? 200 : 10),
  halted: () => rebuildHaltedMarket(fixture),
  // It waits for 30 s.
  ...(long && { upgrade: () => upgradeAndBack(fixture) }),
}

const started = Date.now()
try {
  const { passed, failed } = await runScenarios(scenarios, values.only)
  const { mined, reorgs, deepest } = fixture.chain.blocks()
  const seconds = Math.round((Date.now() - started) / 1000)
  const load = loadavg()[0]?.toFixed(1)
  console.log(
    `${passed + failed} scenarios in ${seconds} s, ${failed} failed; ${mined} blocks, ${reorgs} reorgs to ${deepest} deep; load ${load}`,
  )
  if (values.counts) await writeFile(values.counts, JSON.stringify({ passed, failed }))
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await fixture.close()
}
process.exit()
