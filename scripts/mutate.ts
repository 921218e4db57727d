// pnpm mutate [--count] [--contract <name>] [--match <text>] [--from <n>] [--sample <n>] [--jobs <n>] [--out <file>]
// Plants small defects in the contracts, one at a time, and runs that contract's tests: a defect that no test notices is a
// survivor. Prints the score of each contract and every survivor that contracts/survivors.json does not explain.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { findMutants, type Mutant } from './mutate/mutants.ts'
import type { MutantJob, MutantVerdict } from './mutate/worker.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    contract: { type: 'string', multiple: true },
    match: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    sample: { type: 'string', default: '0' },
    jobs: { type: 'string', default: '2' },
    out: { type: 'string' },
    /** Prints how many mutants there are, and stops. */
    count: { type: 'boolean', default: false },
  },
})

/** The contracts that hold money: their sources, and the tests that must notice a defect, fastest first. */
const targets: Record<string, { sources: readonly string[]; tests: readonly string[] }> = {
  EscrowVault: { sources: ['EscrowVault.sol'], tests: ['escrowVault/*'] },
  DepositVault: { sources: ['DepositVault.sol'], tests: ['depositVault/*'] },
  PaymentGateway: { sources: ['PaymentGateway.sol'], tests: ['paymentGateway/*'] },
  StakingVault: { sources: ['StakingVault.sol'], tests: ['stakingVault/*'] },
  Arbitration: { sources: ['Arbitration.sol', 'arbitration/*.sol'], tests: ['arbitration/*'] },
  TaskRegistry: { sources: ['TaskRegistry.sol', 'registry/*.sol'], tests: ['taskRegistry/*', '{taskLens,hostile}/*'] },
}

interface Result extends Mutant {
  contract: string
  verdict: MutantVerdict
}

const explained: Record<string, string> = JSON.parse(readFileSync(join(root, 'contracts/survivors.json'), 'utf8'))
const queue = await listJobs()
const total = queue.length
if (values.count) {
  console.log(total)
  process.exit(0)
}
const results: Result[] = []
console.log(`${total} mutants`)
// An interrupted run reports what it has, which is a fair sample.
process.once('SIGINT', () => queue.splice(0))
await Promise.all(Array.from({ length: Number(values.jobs) }, runWorker))
report()

async function listJobs(): Promise<MutantJob[]> {
  const found: MutantJob[] = []
  for (const [contract, { sources, tests }] of Object.entries(targets)) {
    if (values.contract && !values.contract.includes(contract)) continue
    const mutants: Mutant[] = []
    for await (const file of glob([...sources], { cwd: join(root, 'contracts/src') })) {
      const path = `contracts/src/${file}`
      mutants.push(...findMutants(path, readFileSync(join(root, path), 'utf8')))
    }
    const wanted = mutants.filter(({ label }) => label.includes(values.match))
    found.push(...wanted.map((mutant) => ({ contract, tests, mutant })))
  }
  // Ordered by hash, so that any n in a row are a fair and reproducible sample.
  const order = new Map(found.map((job) => [job, createHash('sha256').update(job.mutant.label).digest('hex')]))
  found.sort((a, b) => ((order.get(a) ?? '') < (order.get(b) ?? '') ? -1 : 1))
  const from = Number(values.from)
  return found.slice(from, Number(values.sample) > 0 ? from + Number(values.sample) : undefined)
}

/** Gives jobs to one worker until the queue is empty. */
async function runWorker(): Promise<void> {
  const worker = new Worker(new URL('./mutate/worker.ts', import.meta.url), { workerData: { root } })
  await once(worker, 'message')
  for (let job = queue.shift(); job; job = queue.shift()) {
    worker.postMessage(job)
    const [verdict] = (await once(worker, 'message')) as [MutantVerdict]
    results.push({ ...job.mutant, contract: job.contract, verdict })
    const { file, line, label } = job.mutant
    if (verdict === 'survived') console.log(`${results.length}/${total} survived: ${file}:${line} ${label}`)
    else if (results.length % 25 === 0) console.log(`${results.length}/${total}`)
  }
  await worker.terminate()
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
