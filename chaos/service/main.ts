// node chaos/service/main.ts [--only NAME] [--counts FILE]: the real API as processes, with the index killed, the database
// cut off and killed, the chain cut off, all replicas restarted under load, and rows of the index made wrong. Needs nginx.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { bothMarkets, startIndexerProcess } from '../process/appProcess.ts'
import { type ScenarioResult, startFixture } from '../process/fixture.ts'
import { runScenarios } from '../process/scenarios.ts'
import { healUnderLoad } from './heal.ts'
import { cutChain, cutDatabase, killDatabase, killIndex } from './outages.ts'
import { restartReplicas } from './rolling.ts'

const { values } = parseArgs({
  options: {
    /** File for the number of passed and failed scenarios. */
    counts: { type: 'string' },
    /** Runs only scenarios whose name contains this. */
    only: { type: 'string', default: '' },
  },
})
const fixture = await startFixture(1, 400)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void fixture.close().finally(() => process.exit(1)))
}

/** Runs a scenario with an index that follows the chain. */
const indexed = (play: () => Promise<ScenarioResult>) => async () => {
  await startIndexerProcess(fixture.env('a')).waitForLog('caught up', bothMarkets('caught up'))
  return play()
}
const scenarios: Record<string, () => Promise<ScenarioResult>> = {
  index: () => killIndex(fixture),
  database: indexed(() => cutDatabase(fixture)),
  'killed database': indexed(() => killDatabase(fixture)),
  chain: () => cutChain(fixture),
  rolling: indexed(() => restartReplicas(fixture)),
  // Last, because another build serves afterwards.
  heal: () => healUnderLoad(fixture),
}

const started = Date.now()
try {
  const { passed, failed } = await runScenarios(scenarios, values.only)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${passed + failed} scenarios in ${seconds} s, ${failed} failed; load ${loadavg()[0]?.toFixed(1)}`)
  if (values.counts) await writeFile(values.counts, JSON.stringify({ passed, failed }))
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await fixture.close()
}
process.exit()
