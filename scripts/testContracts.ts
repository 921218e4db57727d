// pnpm test:contracts [--deep] [--counts <file>]
// The proof of the contracts: model check, differential, forge tests with invariants, coverage, sizes and gas.
// --deep is ten times as much of what is random; --counts writes {passed, failed} for .ci/run.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import {
  cellCount,
  costliestCall,
  countTests,
  coverageOf,
  invariantCalls,
  largestContract,
  modelCheck,
} from './proof/figures.ts'
import { forge, run } from './run.ts'

const { values } = parseArgs({ options: { deep: { type: 'boolean', default: false }, counts: { type: 'string' } } })
const limits = { lines: 99, branches: 95, bytes: 24_576, gas: 2_000_000 }
const sequences = values.deep ? '5000' : '500'

// Compiling and searching have one thread each, so the coverage is measured beside the tests.
const [model, [lives, tests], measured] = await Promise.all([
  run('vitest', ['run', '--project', 'model'], { NO_COLOR: '1' }, 'atEnd'),
  testAgainstModel(),
  measureCoverage(),
])

const counts = countTests(tests.output, model.output)
const coverage = coverageOf(measured.output)
const largest = await largestContract()
const costliest = costliestCall(tests.output)
const invariants = invariantCalls(tests.output)

console.log(`
The contracts, proven
  table cells       ${await cellCount()}, 100 % of them run
  invariants        ${invariants.properties} properties, ${invariants.calls} calls
  model check       ${modelCheck(model.output)}
  differential      ${lives.output.split('\n')[0]}
  coverage of src   ${coverage.lines} % of lines, ${coverage.branches} % of branches
  largest contract  ${largest.name}, ${largest.bytes} of ${limits.bytes} bytes
  costliest call    ${costliest.name}, ${costliest.gas} gas of ${limits.gas} allowed
  tests             ${counts.passed} passed, ${counts.failed} failed
`)

const faults = [
  ...[model, lives, tests, measured].map(({ exitCode }, step) => exitCode !== 0 && `step ${step + 1} failed`),
  // Forge is content with finding no tests; we are not.
  counts.passed === 0 && 'no test ran',
  coverage.lines < limits.lines && `line coverage under ${limits.lines} %`,
  coverage.branches < limits.branches && `branch coverage under ${limits.branches} %`,
  largest.bytes > limits.bytes && `${largest.name} is too large`,
  costliest.gas > limits.gas && `${costliest.name} costs too much`,
].filter((fault) => fault !== false)
for (const fault of faults) console.error(`not proven: ${fault}`)

if (values.counts) {
  await mkdir(dirname(values.counts), { recursive: true })
  await writeFile(values.counts, `${JSON.stringify(counts)}\n`)
}
process.exitCode = faults.length > 0 ? 1 : 0

/** Writes random lives as the model tells them, and runs every forge test, that of these lives too. */
async function testAgainstModel() {
  const lives = await run('node', ['test/differential/generate.ts', '--sequences', sequences])
  return [lives, await forge(['test', '-vv'], values.deep ? 'deep' : 'ci')] as const
}

/** Long random walks add nothing to coverage but minutes, so they are neither run nor compiled. */
function measureCoverage() {
  const walks = ['invariant', 'differential', 'cells']
  const args = ['--report', 'summary', '--no-match-coverage', 'contracts/test']
  const without = ['--skip', ...walks.map((folder) => `*/test/${folder}/**`)]
  // Its artifacts are not optimised, and must not be mistaken for those that are.
  const env = {
    FOUNDRY_PROFILE: 'default',
    FOUNDRY_OUT: 'contracts/out-coverage',
    FOUNDRY_CACHE_PATH: 'contracts/cache-coverage',
    // Only what is reached counts here; the tests themselves fuzz a thousand times.
    FOUNDRY_FUZZ_RUNS: '16',
  }
  return run('forge', ['coverage', ...args, ...without], env, 'atEnd')
}
