// pnpm check: runs every check, and prints only what fails.
import { type Finished, run } from './run.ts'

const others: readonly (readonly [command: string, ...args: string[]])[] = [
  ['biome', 'check', '--error-on-warnings'],
  ['knip', '--cache'],
  ['node', 'scripts/lintContracts.ts'],
  ['node', 'scripts/checkCycles.ts'],
  ['sherif'],
  ['forge', 'fmt', '--check'],
]

// The type check uses one core and a half, so the others run one after another beside it.
const results = await Promise.all([run('tsc', ['-b', '.', 'apps/site'], {}, 'ifFailed'), runOthers()])
if (results.flat().some(({ exitCode }) => exitCode !== 0)) process.exitCode = 1

async function runOthers(): Promise<Finished[]> {
  const finished: Finished[] = []
  for (const [command, ...args] of others) finished.push(await run(command, args, {}, 'ifFailed'))
  return finished
}
