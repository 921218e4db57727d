// pnpm check: runs every check, and prints only what fails.
import { run } from './run.ts'

const checks: readonly (readonly [command: string, ...args: string[]])[] = [
  ['tsc', '-b', '.', 'apps/site'],
  ['biome', 'check', '--error-on-warnings'],
  ['knip', '--cache'],
  ['node', 'scripts/lintContracts.ts'],
  ['node', 'scripts/checkCycles.ts'],
  ['sherif'],
  ['forge', 'fmt', '--check'],
]

// The type check uses one core and a half, so the others run one after another beside it.
const [types, ...others] = checks.map(
  ([command, ...args]) =>
    () =>
      run(command, args, {}, 'ifFailed'),
)
const results = await Promise.all([types?.(), runInOrder(others)])
if (results.flat().some((result) => result?.exitCode !== 0)) process.exitCode = 1

async function runInOrder<T>(jobs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = []
  for (const job of jobs) done.push(await job())
  return done
}
