import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { applyMutant, type Mutant } from './mutants.ts'

/** A mutant to test: the contract that contains it, and the tests that must notice it, fastest first. */
export interface MutantJob {
  contract: string
  tests: readonly string[]
  mutant: Mutant
}

/** `invalid`: it does not compile, so nobody could ship it. */
export type MutantVerdict = 'killed' | 'survived' | 'invalid'

const root: string = workerData.root
const dir = mkdtempSync(join(tmpdir(), 'mutate-'))
// Far less gas than the project's own setting, so that an endless loop fails quickly.
const env = { ...process.env, FOUNDRY_PROFILE: 'lite', FOUNDRY_FUZZ_RUNS: '32', FOUNDRY_GAS_LIMIT: '1073741824' }
const solc = createRequire(import.meta.url)('solc') as {
  compile: (input: string, callbacks: { import: (path: string) => { contents: string } | { error: string } }) => string
}

process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
prepare()
parentPort?.on('message', (job: MutantJob) => parentPort?.postMessage(testMutant(job)))
parentPort?.postMessage('ready')

/** Copies the project with its own build, so that workers do not disturb each other or the checkout. */
function prepare(): void {
  const needed = ['contracts/src', 'contracts/test', 'packages/protocol/vectors', 'scripts/solc', 'foundry.toml']
  for (const path of needed) cpSync(join(root, path), join(dir, path), { recursive: true })
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}\n')
  mkdirSync(join(dir, 'node_modules'))
  for (const name of ['@openzeppelin', 'solc', '.cache']) {
    if (existsSync(join(root, 'node_modules', name)))
      symlinkSync(join(root, 'node_modules', name), join(dir, 'node_modules', name))
  }
  execFileSync('forge', ['build'], { cwd: dir, env, stdio: 'ignore' })
}

function testMutant({ contract, tests, mutant }: MutantJob): MutantVerdict {
  const code = compile(contract, mutant)
  if (!code) return 'invalid'
  // Tests deploy contracts from their artifacts, so replacing the bytecode there saves a compilation.
  const path = join(dir, `contracts/out-lite/${contract}.sol/${contract}.json`)
  const original = readFileSync(path, 'utf8')
  const artifact = JSON.parse(original)
  if (artifact.bytecode.object === `0x${code.creation}`) return 'survived'
  artifact.bytecode.object = `0x${code.creation}`
  artifact.deployedBytecode.object = `0x${code.runtime}`
  writeFileSync(path, JSON.stringify(artifact))
  try {
    return tests.every(passes) ? 'survived' : 'killed'
  } finally {
    writeFileSync(path, original)
  }
}

function passes(tests: string): boolean {
  try {
    const args = ['test', '--fail-fast', '--match-path', `contracts/test/${tests}`]
    execFileSync('forge', args, { cwd: dir, env, stdio: 'ignore', timeout: 300_000 })
    return true
  } catch {
    return false
  }
}

function compile(contract: string, mutant: Mutant): { creation: string; runtime: string } | null {
  const source = `contracts/src/${contract}.sol`
  const read = (path: string) => {
    const text = readFileSync(join(dir, path), 'utf8')
    return path === mutant.file ? applyMutant(text, mutant) : text
  }
  const input = {
    language: 'Solidity',
    sources: { [source]: { content: read(source) } },
    settings: {
      evmVersion: 'prague',
      metadata: { bytecodeHash: 'none' },
      remappings: ['@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/'],
      outputSelection: { [source]: { [contract]: ['evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: (path) => ({ contents: read(path) }) }))
  const evm = output.contracts?.[source]?.[contract]?.evm
  return evm ? { creation: evm.bytecode.object, runtime: evm.deployedBytecode.object } : null
}
