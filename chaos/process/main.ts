// pnpm chaos process [--kills N] [--seed SEED]: the real indexer as a process, killed, frozen, cut off, replaced.
// With fewer than 100 kills the other scenarios are shorter too, no writer is frozen, and no upgrade is rolled back.
import { createRandom } from '@svc/simulation/random'
import { type Fixture, startFixture } from '../shared/fixture.ts'
import { parseOptions, runScenarios, runSuite, type ScenarioResult } from '../shared/suite.ts'
import { killWhileIndexing } from './kills.ts'
import { rebuildBesideReaders, rebuildHaltedMarket } from './rebuild.ts'
import { cutWriters, freezeWriter, killWriters } from './standby.ts'
import { startBeforeDatabase, startBeforeProviders, stopGracefully } from './starts.ts'
import { upgradeAndBack } from './upgrade.ts'

const options = parseOptions({ kills: 10, seed: 1, only: '' })
const { kills, seed, only } = options
const long = kills >= 100
const random = createRandom(seed, 5)

const scenarios: Readonly<Record<string, (fixture: Fixture) => Promise<ScenarioResult>>> = {
  kills: (fixture) => killWhileIndexing(fixture, kills, random),
  standby: (fixture) => killWriters(fixture, long ? 20 : 2, random),
  cuts: (fixture) => cutWriters(fixture, long ? 40 : 5, random),
  stops: (fixture) => stopGracefully(fixture, long ? 10 : 1, random),
  database: (fixture) => startBeforeDatabase(fixture, long ? 25_000 : 1_000),
  providers: (fixture) => startBeforeProviders(fixture, long ? 25_000 : 1_000),
  ...(long && { freeze: freezeWriter }),
  rebuild: (fixture) => rebuildBesideReaders(fixture, long ? 200 : 10),
  halted: rebuildHaltedMarket,
  // It waits for 30 s.
  ...(long && { upgrade: upgradeAndBack }),
}

await runSuite(
  options,
  () => startFixture(seed, 400),
  async (fixture) => {
    const counts = await runScenarios('process', fixture, scenarios, only)
    const { mined, reorgs, deepest } = fixture.chain.blocks()
    console.log(`${mined} blocks, ${reorgs} reorgs to ${deepest} deep`)
    return counts
  },
)
