import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { compileSources } from './ast.ts'
import { applyMutant, type Mutant } from './mutants.ts'
import { type Deployable, isOwnTest } from './project.ts'
import { type Baseline, runTests } from './runTests.ts'

/** A mutant to test, the contracts it can alter, and for each of them the tests that can see it. */
export interface MutantJob {
  mutant: Mutant
  dependents: readonly { contract: Deployable; tests: readonly string[] }[]
}

/** `invalid`: it does not compile, or compiles to the same code. `by`: the test file that noticed it. */
export interface MutantVerdict {
  verdict: 'killed' | 'survived' | 'invalid'
  by?: string
}

interface Bytecode {
  object: string
  linkReferences: unknown
}

const { dir, baseline } = workerData as { dir: string; baseline: Baseline }
/** Test files of a contract that take less than this run first. */
const quickSeconds = 0.3
/** By source and function: the test files that noticed its defects before, which are likely to notice the next one. */
const killers = new Map<string, Set<string>>()

parentPort?.on('message', (job: MutantJob) => parentPort?.postMessage(testMutant(job)))

function testMutant({ mutant, dependents }: MutantJob): MutantVerdict {
  const contracts = dependents.map(({ contract }) => contract)
  const restore: (() => void)[] = []
  try {
    const compiled = compileMutant(mutant, contracts)
    if (!compiled) return { verdict: 'invalid' }
    const changed = dependents.filter((_, i) => {
      const [contract, code] = [contracts[i], compiled[i]]
      const undo = contract && code && replaceArtifact(contract, code)
      if (undo) restore.push(undo)
      return undo !== undefined
    })
    if (changed.length === 0) return { verdict: 'invalid' }
    return runStages(mutant, changed)
  } finally {
    for (const undo of restore) undo()
  }
}

/** Runs the tests that can see the change, the likeliest to fail first. */
function runStages(mutant: Mutant, changed: MutantJob['dependents']): MutantVerdict {
  const place = `${mutant.file} ${mutant.label.split(':')[0]}`
  const all = [...new Set(changed.flatMap(({ tests }) => tests))]
  const own = new Set(all.filter((test) => changed.some(({ contract }) => isOwnTest(test, contract))))
  const known = killers.get(place) ?? new Set()
  const isQuick = (test: string) => (baseline[test] ?? 0) < quickSeconds
  const stages = [
    (test: string) => known.has(test) && (isQuick(test) || known.size === 1),
    (test: string) => own.has(test) && isQuick(test),
    (test: string) => own.has(test) || isQuick(test),
    () => true,
  ]
  const rest = new Set(all)
  for (const belongs of stages) {
    const tests = [...rest].filter(belongs)
    for (const test of tests) rest.delete(test)
    const outcome = runTests(dir, tests)
    if (outcome.passed) continue
    if (all.includes(outcome.failedIn)) killers.set(place, known.add(outcome.failedIn))
    return { verdict: 'killed', by: outcome.failedIn }
  }
  return { verdict: 'survived' }
}

/** Puts other bytecode into an artifact, from which the tests deploy. Returns how to undo it, unless nothing changes. */
function replaceArtifact({ source, name }: Deployable, code: { creation: Bytecode; runtime: Bytecode }) {
  const path = join(dir, `contracts/out-lite/${source.split('/').at(-1)}/${name}.json`)
  const original = readFileSync(path, 'utf8')
  const artifact = JSON.parse(original)
  if (artifact.bytecode.object === `0x${code.creation.object}`) return undefined
  Object.assign(artifact.bytecode, { ...code.creation, object: `0x${code.creation.object}` })
  Object.assign(artifact.deployedBytecode, { ...code.runtime, object: `0x${code.runtime.object}` })
  writeFileSync(path, JSON.stringify(artifact))
  return () => writeFileSync(path, original)
}

function compileMutant(mutant: Mutant, contracts: readonly Deployable[]) {
  const read = (path: string) => {
    const text = readFileSync(join(dir, path), 'utf8')
    return path === mutant.file ? applyMutant(text, mutant) : text
  }
  const wanted: Record<string, Record<string, readonly string[]>> = {}
  const outputs = ['evm.bytecode.object', 'evm.bytecode.linkReferences', 'evm.deployedBytecode.object']
  for (const { source, name } of contracts)
    wanted[source] = { ...wanted[source], [name]: [...outputs, 'evm.deployedBytecode.linkReferences'] }
  const sources = Object.fromEntries(Object.keys(wanted).map((path) => [path, read(path)]))
  const output = compileSources(sources, wanted, (path) => ({ contents: read(path) }))
  const codes = contracts.flatMap(({ source, name }) => {
    const evm = output.contracts?.[source]?.[name]?.evm
    return evm ? [{ creation: evm.bytecode, runtime: evm.deployedBytecode }] : []
  })
  return codes.length === contracts.length ? codes : undefined
}
