// node .ci/sum.mjs <folder>: adds up what the steps of .ci/run left there and prints `N passed, N failed`.
// node .ci/sum.mjs --failed-files <report>: the files to run again, if at most three failed.
// <step>.json is vitest's report or {passed, failed}; <step>.again.json is the report of its failed files run once more;
// <step>.failed-step says that the step itself failed, which counts as one failure unless its own tests tell more. What
// failed is named above the sum, so that the end of a log says enough. Plain JavaScript: it also runs when the install failed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'

const mostFilesAgain = 3

if (process.argv[2] === '--failed-files') {
  const files = readReport(process.argv[3]).testResults.filter((file) => listFailures(file).length > 0)
  if (files.length <= mostFilesAgain) for (const file of files) console.log(relative('.', file.name))
} else {
  sumUp(process.argv[2])
}

function sumUp(folder) {
  let passed = 0
  let failed = 0
  const files = readdirSync(folder).filter(
    (file) => /\.(?:json|failed-step)$/.test(file) && !file.endsWith('.again.json'),
  )
  for (const step of new Set(files.map((file) => basename(basename(file, '.json'), '.failed-step')))) {
    const report = readReport(join(folder, `${step}.json`))
    const again = readReport(join(folder, `${step}.again.json`))
    const failures = report.testResults.flatMap(listFailures)
    const flaky = failures.filter((failure) => passedAgain(failure, again))
    const stepFailed = existsSync(join(folder, `${step}.failed-step`))
    const failedHere = (report.failed ?? report.numFailedTests ?? 0) - flaky.filter(({ test }) => test).length
    passed += (report.passed ?? report.numPassedTests ?? 0) + flaky.length
    failed += failedHere || (stepFailed ? 1 : 0)
    if (flaky.length > 0) console.log(`\nflaky: ${step} (failed once, passed alone: find out why)`)
    for (const { title, message } of flaky) console.log(`  ${title}: ${message}`)
    if (stepFailed || failedHere > 0) console.log(`\nfailed: ${step}`)
    for (const { title, message } of failures.filter((failure) => !flaky.includes(failure)))
      console.log(`  ${title}: ${message}`)
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

/** A report of vitest, or the counts of another suite. One that is missing or cut off is empty. */
function readReport(path) {
  try {
    return { testResults: [], ...JSON.parse(readFileSync(path, 'utf8')) }
  } catch {
    return { testResults: [] }
  }
}

/** The failed tests of a file, or the file itself if it could not run, each with the start of its message. */
function listFailures(file) {
  const path = relative('.', file.name)
  const tests = file.assertionResults.filter((test) => test.status === 'failed')
  if (tests.length === 0 && file.status === 'failed') return [{ path, title: path, message: shorten(file.message) }]
  return tests.map((test) => ({
    path,
    test: test.fullName,
    title: `${path} > ${test.fullName}`,
    message: shorten(test.failureMessages.join('\n')),
  }))
}

/** Whether a test, or every test of a file that could not run, passed when its file ran again. */
function passedAgain({ path, test }, again) {
  const file = again.testResults.find(({ name }) => relative('.', name) === path)
  if (!file) return false
  if (test === undefined) return file.status === 'passed'
  return file.assertionResults.some(({ fullName, status }) => fullName === test && status === 'passed')
}

function shorten(message) {
  return message.length > 1200 ? `${message.slice(0, 1200)}…` : message
}
