import { killAllProcesses } from './appProcess.ts'
import type { ScenarioResult } from './fixture.ts'

/** Runs the scenarios whose name contains `only`, one after another, and prints and counts the results. */
export async function runScenarios(scenarios: Readonly<Record<string, () => Promise<ScenarioResult>>>, only: string) {
  const count = { passed: 0, failed: 0 }
  for (const [name, run] of Object.entries(scenarios)) {
    if (!name.includes(only)) continue
    const result = await run().catch((error: Error) => ({
      what: name,
      figures: '',
      fault: error.stack ?? error.message,
    }))
    await killAllProcesses()
    count[result.fault ? 'failed' : 'passed']++
    console.log(`${result.fault ? 'FAILED' : 'ok    '} ${result.what}\n      ${result.figures}`)
    if (result.fault) console.log(result.fault)
  }
  return count
}
