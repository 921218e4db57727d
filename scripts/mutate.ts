// pnpm mutate [--contract <name>] [--sample <n>] [--jobs <n>] [--out <file>]
// Plants small defects in the contracts, one at a time, and runs that contract's tests: a defect no test notices is a
// survivor. Prints the score of each contract and every survivor that contracts/survivors.json does not explain.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf, plant } from './mutate/mutants.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    contract: { type: 'string', multiple: true },
    sample: { type: 'string', default: '0' },
    jobs: { type: 'string', default: '2' },
    out: { type: 'string' },
  },
})

/** The contracts people's money depends on: the sources of each, and the tests that must notice. */
const targets: Record<string, { sources: readonly string[]; tests: string }> = {
  TaskRegistry: { sources: ['TaskRegistry.sol', 'registry/*.sol'], tests: '{taskRegistry,hostile,cells}/*' },
  EscrowVault: { sources: ['EscrowVault.sol'], tests: 'escrowVault/*' },
  DepositVault: { sources: ['DepositVault.sol'], tests: 'depositVault/*' },
  Arbitration: { sources: ['Arbitration.sol', 'arbitration/*.sol'], tests: 'arbitration/*' },
  PaymentGateway: { sources: ['PaymentGateway.sol'], tests: 'paymentGateway/*' },
  StakingVault: { sources: ['StakingVault.sol'], tests: 'stakingVault/*' },
}

type Verdict = 'killed' | 'survived' | 'invalid'
interface Result extends Mutant {
  contract: string
  verdict: Verdict
}

const explained: Record<string, string> = JSON.parse(readFileSync(join(root, 'contracts/survivors.json'), 'utf8'))
const queue = await allMutants()
const results: Result[] = []
const total = queue.length
console.log(`${total} mutants`)
await Promise.all(Array.from({ length: Number(values.jobs) }, work))
report()

async function allMutants(): Promise<{ contract: string; mutant: Mutant }[]> {
  const found: { contract: string; mutant: Mutant }[] = []
  for (const [contract, { sources }] of Object.entries(targets)) {
    if (values.contract && !values.contract.includes(contract)) continue
    let mutants: Mutant[] = []
    for await (const file of glob([...sources], { cwd: join(root, 'contracts/src') })) {
      const path = `contracts/src/${file}`
      mutants.push(...mutantsOf(path, readFileSync(join(root, path), 'utf8')))
    }
    const sample = Number(values.sample)
    // Every n-th, so that a sample reaches all parts of a contract and is the same each time.
    if (sample > 0) mutants = mutants.filter((_, index) => index % Math.ceil(mutants.length / sample) === 0)
    found.push(...mutants.map((mutant) => ({ contract, mutant })))
  }
  return found
}

/** Takes mutants off the queue until it is empty, in a copy of the project of its own. */
async function work(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'mutate-'))
  try {
    for (const path of ['contracts/src', 'contracts/test', 'packages/protocol/vectors', 'scripts/solc', 'foundry.toml'])
      cpSync(join(root, path), join(dir, path), { recursive: true })
    writeFileSync(join(dir, 'package.json'), '{"type":"module"}\n')
    mkdirSync(join(dir, 'node_modules'), { recursive: true })
    for (const name of ['@openzeppelin', 'solc'])
      symlinkSync(join(root, 'node_modules', name), join(dir, 'node_modules', name))
    execFileSync('forge', ['build'], { cwd: dir, env: forgeEnv(), stdio: 'ignore' })
    for (let next = queue.shift(); next; next = queue.shift()) {
      const verdict = await judge(dir, next.contract, next.mutant)
      results.push({ ...next.mutant, contract: next.contract, verdict })
      const note =
        verdict === 'survived' ? ` survived: ${next.mutant.file}:${next.mutant.line} ${next.mutant.label}` : ''
      if (note || results.length % 25 === 0) console.log(`${results.length}/${total}${note}`)
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

async function judge(dir: string, contract: string, mutant: Mutant): Promise<Verdict> {
  const path = join(dir, mutant.file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(path, plant(original, mutant))
  try {
    const tests = `contracts/test/${targets[contract]?.tests}`
    const child = spawn('forge', ['test', '--fail-fast', '--match-path', tests], {
      cwd: dir,
      env: forgeEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A defect may make a test loop; gas ends most of them, this the rest.
      timeout: 300_000,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    const [exitCode] = await once(child, 'close')
    if (output.includes('Compiler run failed')) return 'invalid'
    return exitCode === 0 ? 'survived' : 'killed'
  } finally {
    writeFileSync(path, original)
  }
}

function forgeEnv(): NodeJS.ProcessEnv {
  return { ...process.env, FOUNDRY_PROFILE: 'lite', FOUNDRY_FUZZ_RUNS: '32', SOLC_CACHE: 'off' }
}

function report(): void {
  const valid = results.filter(({ verdict }) => verdict !== 'invalid')
  for (const contract of Object.keys(targets)) {
    const own = valid.filter((result) => result.contract === contract)
    if (own.length > 0) console.log(`${contract.padEnd(16)} ${score(own)}`)
  }
  console.log(`${'together'.padEnd(16)} ${score(valid)}`)
  const survivors = valid.filter(({ verdict }) => verdict === 'survived')
  const open = survivors.filter(({ label }) => !explained[label])
  console.log(`${survivors.length} survivors, ${open.length} not explained in contracts/survivors.json`)
  for (const { file, line, label } of open) console.log(`  ${file}:${line}  ${label}`)
  if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 1)}\n`)
  process.exitCode = open.length > 0 ? 1 : 0
}

function score(of: readonly Result[]): string {
  const killed = of.filter(({ verdict }) => verdict === 'killed').length
  return `${killed} of ${of.length} killed, ${((100 * killed) / of.length).toFixed(1)} %`
}
