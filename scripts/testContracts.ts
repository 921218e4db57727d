// pnpm test:contracts [--deep] [--only <part>] [--no-coverage] [--counts <file>]
// The proof of the contracts: model check, differential, forge tests with invariants, coverage, sizes and gas.
// --deep tries ten times as many random cases; --only runs one part; --counts writes {passed, failed} for .ci/run.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import {
  compareGas,
  countCells,
  countInvariantCalls,
  countTests,
  findCostliestCall,
  findLargestContract,
  parseCoverage,
  parseGas,
  parseModelCheck,
} from './proof/figures.ts'
import { type Finished, forge, run } from './run.ts'

/** The parts, and for forge the paths of the tests in it: `tests` is everything else. */
const parts = ['model', 'differential', 'invariant', 'tests', 'coverage'] as const
type Part = (typeof parts)[number]
const paths = {
  differential: 'contracts/test/{differential,cells}/**',
  invariant: 'contracts/test/{invariant/**,stakingVault/invariants.t.sol}',
} as const

const { values } = parseArgs({
  options: {
    deep: { type: 'boolean', default: false },
    only: { type: 'string' },
    'no-coverage': { type: 'boolean', default: false },
    counts: { type: 'string' },
  },
})
if (values.only && !parts.includes(values.only as Part)) {
  console.error(`--only takes ${parts.join(', ')}, not ${values.only}.`)
  process.exit(2)
}
const profile = values.deep ? 'deep' : 'ci'
const sequences = values.deep ? '5000' : '100'
const limits = { lines: 99, branches: 95, bytes: 24_576, gas: 2_000_000, gasChange: 0.01 }
const skipped: Finished = { exitCode: 0, output: '' }
const includes = (part: Part) =>
  (!values.only || values.only === part) && !(part === 'coverage' && values['no-coverage'])

// Compiling and searching use one thread each, so coverage is measured in parallel to the tests.
const [model, [lifecycles, tests], measured] = await Promise.all([
  includes('model') ? run('vitest', ['run', '--project', 'model'], { NO_COLOR: '1' }, 'atEnd') : skipped,
  runForge(),
  includes('coverage') ? measureCoverage() : skipped,
])

const counts = countTests(tests.output, model.output)
const faults = [model, lifecycles, tests, measured].map(
  ({ exitCode }, step) => exitCode !== 0 && `step ${step + 1} failed`,
)
console.log('\nThe contracts, proven')
if (includes('model')) show('model check', parseModelCheck(model.output))
if (includes('differential')) {
  show('table cells', `${await countCells()}, 100 % of them run`)
  show('differential', lifecycles.output.split('\n')[0] ?? '')
}
if (includes('invariant')) {
  const { properties, calls } = countInvariantCalls(tests.output)
  show('invariants', `${properties} properties, ${calls} calls`)
}
if (includes('coverage')) {
  const { lines, branches } = parseCoverage(measured.output)
  show('coverage of src', `${lines} % of lines, ${branches} % of branches`)
  faults.push(lines < limits.lines && `line coverage under ${limits.lines} %`)
  faults.push(branches < limits.branches && `branch coverage under ${limits.branches} %`)
}
if (includes('tests')) {
  const gas = parseGas(tests.output)
  const [largest, costliest] = [await findLargestContract(), findCostliestCall(gas)]
  show('largest contract', `${largest.name}, ${largest.bytes} of ${limits.bytes} bytes`)
  show('costliest call', `${costliest.name}, ${costliest.gas} gas of ${limits.gas} allowed`)
  faults.push(largest.bytes > limits.bytes && `${largest.name} is too large`)
  faults.push(costliest.gas > limits.gas && `${costliest.name} costs too much`)
  const snapshot = JSON.parse(await readFile(new URL('../contracts/gas.json', import.meta.url), 'utf8'))
  const changes = compareGas(snapshot, gas, limits.gasChange)
  show('gas snapshot', changes.length === 0 ? `${Object.keys(gas).length} calls as committed` : 'differs')
  faults.push(...changes.map((change) => `${change}; commit contracts/gas.json after \`pnpm gas\` if that is meant`))
}
show('tests', `${counts.passed} passed, ${counts.failed} failed`)
// Forge succeeds when it finds no tests.
faults.push(values.only !== 'coverage' && counts.passed === 0 && 'no test ran')

const found = faults.filter((fault) => fault !== false)
for (const fault of found) console.error(`not proven: ${fault}`)
if (values.counts) {
  await mkdir(dirname(values.counts), { recursive: true })
  await writeFile(values.counts, `${JSON.stringify(counts)}\n`)
}
process.exitCode = found.length > 0 ? 1 : 0

function show(name: string, figure: string): void {
  console.log(`  ${name.padEnd(18)}${figure}`)
}

/** Generates random lifecycles from the model, then runs the forge tests, including those that replay the lifecycles. */
async function runForge(): Promise<readonly [Finished, Finished]> {
  const only = values.only as Part | undefined
  if (only === 'model' || only === 'coverage') return [skipped, skipped]
  const lifecycles =
    only === undefined || only === 'differential'
      ? await run('node', ['test/differential/generate.ts', '--sequences', sequences])
      : skipped
  const others = `{${Object.values(paths).join(',')}}`
  const match = only === undefined ? [] : only === 'tests' ? ['--no-match-path', others] : ['--match-path', paths[only]]
  return [lifecycles, await forge(['test', '-vv', ...match], profile)]
}

/** Long random walks and gas figures cover nothing that the other tests do not: they are neither compiled nor run here. */
function measureCoverage(): Promise<Finished> {
  const others = ['invariant', 'differential', 'gas']
  const args = ['--report', 'summary', '--no-match-coverage', 'contracts/test']
  const without = ['--skip', ...others.map((folder) => `*/test/${folder}/**`)]
  const env = {
    FOUNDRY_PROFILE: 'default',
    // Its artifacts are not optimised and must not replace those that are.
    FOUNDRY_OUT: 'contracts/out-coverage',
    FOUNDRY_CACHE_PATH: 'contracts/cache-coverage',
    FOUNDRY_FUZZ_RUNS: '16',
  }
  return run('forge', ['coverage', ...args, ...without], env, 'atEnd')
}
