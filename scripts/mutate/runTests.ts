import { spawnSync } from 'node:child_process'
import { forgeEnv } from './workspace.ts'

/** The seconds that each test file takes without any defect. */
export type Baseline = Readonly<Record<string, number>>

/** The test file that failed first, or that none did. */
export type TestOutcome = { passed: true } | { passed: false; failedIn: string }

/** Runs test files until the first failure. An endless test counts as failed. Throws when forge itself fails. */
export function runTests(dir: string, tests: readonly string[]): TestOutcome {
  if (tests.length === 0) return { passed: true }
  // One thread each: there are as many workers as cores.
  const args = ['test', '--fail-fast', '--threads', '1', '--match-path', toGlob(tests)]
  const { status, stdout, stderr, error } = spawnSync('forge', args, {
    cwd: dir,
    env: forgeEnv,
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return { passed: true }
  if (error && 'code' in error && error.code === 'ETIMEDOUT') return { passed: false, failedIn: 'timeout' }
  const failed = stdout.match(/failing tests? in (\S+?):/)
  if (!failed?.[1]) throw new Error(`forge failed without a failing test: ${stderr || stdout.slice(-2000) || error}`)
  return { passed: false, failedIn: failed[1] }
}

/** Measures each test file, and throws when one fails without any defect: it would count every mutant as killed. */
export function measureBaseline(dir: string, tests: readonly string[]): Baseline {
  const { stdout, stderr } = spawnSync('forge', ['test', '--json', '--match-path', toGlob(tests)], {
    cwd: dir,
    env: forgeEnv,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (!stdout.startsWith('{')) throw new Error(`The tests do not run: ${stderr || stdout.slice(0, 2000)}`)
  const suites: Record<string, { duration: string; test_results: Record<string, { status: string }> }> =
    JSON.parse(stdout)
  const seconds: Record<string, number> = {}
  for (const [id, { duration, test_results }] of Object.entries(suites)) {
    const [file = ''] = id.split(':')
    const failed = Object.entries(test_results).filter(([, { status }]) => status === 'Failure')
    if (failed.length > 0) throw new Error(`${file} fails without any defect: ${failed.map(([name]) => name)}`)
    seconds[file] = (seconds[file] ?? 0) + parseForgeDuration(duration)
  }
  return seconds
}

/** Parses a duration as forge prints it, `1s 20ms 3µs`, into seconds. */
export function parseForgeDuration(text: string): number {
  const units: Record<string, number> = { m: 60, s: 1, ms: 1e-3, µs: 1e-6, us: 1e-6, ns: 1e-9 }
  const parts = [...text.matchAll(/([\d.]+)\s*([a-zµ]+)/g)]
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0)
}

const toGlob = (tests: readonly string[]) => (tests.length === 1 ? String(tests[0]) : `{${tests.join(',')}}`)
