// node .ci/sum.mjs <folder>: adds up what the steps of .ci/run left there and prints `N passed, N failed`.
// <step>.json is vitest's report or {passed, failed}; <step>.failed-step says that the step itself failed, which
// counts as one failure unless its own tests tell more. Plain JavaScript: it also runs when the install failed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const folder = process.argv[2]
let passed = 0
let failed = 0

const steps = new Set(readdirSync(folder).map((file) => basename(basename(file, '.json'), '.failed-step')))
for (const step of steps) {
  const counts = readCounts(join(folder, `${step}.json`))
  const stepFailed = existsSync(join(folder, `${step}.failed-step`))
  passed += counts.passed
  failed += counts.failed || (stepFailed ? 1 : 0)
}

console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** The counts of one suite; a report that is missing or cut off has none. */
function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return { passed: report.passed ?? report.numPassedTests ?? 0, failed: report.failed ?? report.numFailedTests ?? 0 }
  } catch {
    return { passed: 0, failed: 0 }
  }
}
