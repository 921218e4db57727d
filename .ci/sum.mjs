// node .ci/sum.mjs <folder>: adds up what the steps of .ci/run left there and prints `N passed, N failed`.
// <step>.json is vitest's report or {passed, failed}; <step>.failed-step says that the step itself failed, which
// counts as one failure unless its own tests tell more. What failed is named above the sum, so that the end of a log says
// enough. Plain JavaScript: it also runs when the install failed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'

const folder = process.argv[2]
let passed = 0
let failed = 0

const files = readdirSync(folder).filter((file) => /\.(?:json|failed-step)$/.test(file))
const steps = new Set(files.map((file) => basename(basename(file, '.json'), '.failed-step')))
for (const step of steps) {
  const counts = readCounts(join(folder, `${step}.json`))
  const stepFailed = existsSync(join(folder, `${step}.failed-step`))
  passed += counts.passed
  failed += counts.failed || (stepFailed ? 1 : 0)
  if (stepFailed || counts.failed > 0) console.log(`\nfailed: ${step}`)
  for (const failure of counts.failures) console.log(`  ${failure}`)
}

console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** The counts of one suite; a report that is missing or cut off has none. */
function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return {
      passed: report.passed ?? report.numPassedTests ?? 0,
      failed: report.failed ?? report.numFailedTests ?? 0,
      failures: listFailures(report.testResults ?? []),
    }
  } catch {
    return { passed: 0, failed: 0, failures: [] }
  }
}

/** The failed tests of a vitest report and the files that could not run, each with the start of its message. */
function listFailures(files) {
  return files.flatMap((file) => {
    const tests = file.assertionResults.filter((test) => test.status === 'failed')
    if (tests.length === 0 && file.status === 'failed') return [`${relative('.', file.name)}: ${shorten(file.message)}`]
    return tests.map(
      (test) => `${relative('.', file.name)} > ${test.fullName}: ${shorten(test.failureMessages.join('\n'))}`,
    )
  })
}

function shorten(message) {
  return message.length > 1200 ? `${message.slice(0, 1200)}…` : message
}
