// pnpm chaos service [--only NAME]: the real API as processes, with the index killed, the database cut off and killed, the chain
// cut off, all replicas restarted under load, and rows of the index made wrong. Needs nginx.
import { type Fixture, startFixture } from '../shared/fixture.ts'
import { parseOptions, runScenarios, runSuite, type ScenarioResult } from '../shared/suite.ts'
import { healUnderLoad } from './heal.ts'
import { cutChain, cutDatabase, killDatabase, killIndex } from './outages.ts'
import { restartReplicas } from './rolling.ts'

const options = parseOptions({ only: '' })

/** Runs a scenario with an index that follows the chain. */
const indexed = (play: (fixture: Fixture) => Promise<ScenarioResult>) => async (fixture: Fixture) => {
  await fixture.startIndexer()
  return play(fixture)
}
const scenarios: Readonly<Record<string, (fixture: Fixture) => Promise<ScenarioResult>>> = {
  index: killIndex,
  database: indexed(cutDatabase),
  'killed database': indexed(killDatabase),
  chain: cutChain,
  rolling: indexed(restartReplicas),
  // Last, because another build serves afterwards.
  heal: healUnderLoad,
}

await runSuite(
  options,
  () => startFixture(1, 400),
  (fixture) => runScenarios('service', fixture, scenarios, options.only),
)
