// pnpm mutate [--files <a,b>] [--sample <n>] [--seed <n>] [--match <text>] [--jobs <n>] [--state <folder>] [--counts <file>] [--list]
// Plants small defects in the contracts, one at a time, and runs the tests that can see them: a defect that no test
// notices is a survivor. Prints killed, survived and invalid by file, and every survivor that contracts/survivors.json
// does not explain; one of those fails the command.
// --files takes names of sources without .sol, or folders: EscrowVault,arbitration. --sample draws that many, spread over the
// files in proportion. Verdicts are stored as they come: run it again to continue. --list only prints the mutants.
import { once } from 'node:events'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { parseSources } from './mutate/ast.ts'
import { findMutants, type Mutant } from './mutate/mutants.ts'
import { readProject } from './mutate/project.ts'
import { createReport, type Explanations } from './mutate/report.ts'
import { type Baseline, measureBaseline } from './mutate/runTests.ts'
import { drawSample } from './mutate/sample.ts'
import type { MutantJob, MutantVerdict } from './mutate/worker.ts'
import { buildWorkspace, copyWorkspace, hashInputs, removeWorkspace } from './mutate/workspace.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sourceFolder = 'contracts/src/'
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    match: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    state: { type: 'string', default: join(root, 'node_modules/.cache/mutate') },
    counts: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = globSync(`${sourceFolder}**/*.sol`, { cwd: root }).sort()
const trees = parseSources(Object.fromEntries(sources.map((file) => [file, read(file)])), (path) => ({
  contents: read(path),
}))
const project = readProject(root, trees)
const chosen = chooseMutants()
if (values.list) {
  for (const { file, line, label } of chosen) console.log(`${file}:${line} ${label}`)
  console.log(`${chosen.length} mutants`)
} else await testMutants()

/** The mutants that the options ask for. Interfaces have none. */
function chooseMutants(): Mutant[] {
  const names = values.files.split(',').filter((name) => name !== '')
  const paths = names.map((name) => `${sourceFolder}${name}`)
  const matches = (file: string, path: string) => file === `${path}.sol` || file === path || file.startsWith(`${path}/`)
  const unknown = names.filter((_, i) => !sources.some((file) => matches(file, paths[i] ?? '')))
  if (unknown.length > 0) throw new Error(`No source in ${sourceFolder} matches ${unknown.join(', ')}.`)
  const files = paths.length > 0 ? sources.filter((file) => paths.some((path) => matches(file, path))) : sources
  const found = findMutants(trees, read, files).filter(({ label }) => label.includes(values.match))
  return drawSample(found, values.sample === undefined ? found.length : Number(values.sample), values.seed)
}

async function testMutants(): Promise<void> {
  const folder = join(resolve(values.state), hashInputs(root))
  mkdirSync(folder, { recursive: true })
  const recorded = join(folder, 'verdicts.jsonl')
  const verdicts = readVerdicts(recorded)
  const queue = chosen.filter((mutant) => !verdicts.has(idOf(mutant))).map(describeJob)
  console.log(`${chosen.length} mutants, ${chosen.length - queue.length} of them tested before`)
  // What an interrupted run has tested is recorded.
  process.once('SIGINT', () => queue.splice(0))
  const workers = Math.min(Number(values.jobs), queue.length)
  if (workers > 0) {
    const tests = [...new Set(queue.flatMap(({ dependents }) => dependents.flatMap(({ tests }) => tests)))]
    const first = buildWorkspace(root, tests)
    const dirs = [first]
    try {
      const baseline = readBaseline(folder, first, tests)
      for (let i = 1; i < workers; i++) dirs.push(copyWorkspace(first))
      let done = 0
      const total = queue.length
      const record = (mutant: Mutant, verdict: MutantVerdict) => {
        const { file, line, label } = mutant
        verdicts.set(idOf(mutant), verdict)
        appendFileSync(recorded, `${JSON.stringify({ file, label, ...verdict })}\n`)
        done++
        if (verdict.verdict === 'survived') console.log(`${done}/${total} survived: ${file}:${line} ${label}`)
        else if (done % 50 === 0) console.log(`${done}/${total}`)
      }
      await Promise.all(dirs.map((dir) => runWorker(dir, baseline, queue, record)))
    } finally {
      for (const dir of dirs) removeWorkspace(dir)
    }
  }
  report(verdicts)
}

function describeJob(mutant: Mutant): MutantJob {
  const dependents = project.listDependents(mutant.file)
  return { mutant, dependents: dependents.map((contract) => ({ contract, tests: project.listTests([contract]) })) }
}

/** Gives jobs to one worker until the queue is empty. */
async function runWorker(
  dir: string,
  baseline: Baseline,
  queue: MutantJob[],
  record: (mutant: Mutant, verdict: MutantVerdict) => void,
): Promise<void> {
  const worker = new Worker(new URL('./mutate/worker.ts', import.meta.url), { workerData: { dir, baseline } })
  for (let job = queue.shift(); job; job = queue.shift()) {
    worker.postMessage(job)
    const [verdict] = (await once(worker, 'message')) as [MutantVerdict]
    record(job.mutant, verdict)
  }
  await worker.terminate()
}

function readVerdicts(file: string): Map<string, MutantVerdict> {
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').split('\n')
  // A killed run may leave half a line at the end.
  const whole = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line))
  return new Map(whole.map(({ file, label, verdict, by }) => [idOf({ file, label }), { verdict, by }]))
}

/** Measured once per state of the tree and set of tests. */
function readBaseline(folder: string, dir: string, tests: readonly string[]): Baseline {
  const file = join(folder, 'baseline.json')
  const known: Baseline = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const missing = tests.filter((test) => known[test] === undefined)
  if (missing.length === 0) return known
  const baseline = { ...known, ...measureBaseline(dir, missing) }
  writeFileSync(file, JSON.stringify(baseline))
  return baseline
}

function report(verdicts: ReadonlyMap<string, MutantVerdict>): void {
  const tested = chosen.flatMap((mutant) => {
    const verdict = verdicts.get(idOf(mutant))?.verdict
    return verdict ? [{ ...mutant, file: mutant.file.slice(sourceFolder.length), verdict }] : []
  })
  const explained: Explanations = JSON.parse(read('contracts/survivors.json'))
  const { lines, passed, failed } = createReport(tested, explained)
  for (const line of lines) console.log(line)
  if (tested.length < chosen.length) console.log(`${chosen.length - tested.length} not tested yet`)
  if (values.counts) {
    mkdirSync(dirname(values.counts), { recursive: true })
    writeFileSync(values.counts, `${JSON.stringify({ passed, failed })}\n`)
  }
  process.exitCode = failed > 0 || tested.length < chosen.length ? 1 : 0
}

function idOf({ file, label }: Pick<Mutant, 'file' | 'label'>): string {
  return `${file} ${label}`
}
