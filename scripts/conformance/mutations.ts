import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requirements } from '../../test/conformance/requirements/requirements.ts'

/** A mutation of a requirement. */
export interface PlannedMutation {
  /** The requirement and the position among its mutations: `limit.2`. */
  id: string
  tests: readonly string[]
  file: string
  from: string
  to: string
}

/** The mutations of every requirement, in order. */
export const plannedMutations: readonly PlannedMutation[] = requirements.flatMap(({ id, tests, mutations = [] }) =>
  mutations.map((mutation, index) => ({
    id: `${id}.${index + 1}`,
    tests,
    ...mutation,
  })),
)

/** Changes with a mutation, with the file that it changes, and with the files of its tests. */
export function hashMutation(mutation: PlannedMutation, readFile: (path: string) => string): string {
  const files = new Set([mutation.file, ...mutation.tests.map((test) => test.split(' > ')[0] ?? '')])
  const hash = createHash('sha256').update(JSON.stringify(mutation))
  for (const file of files) hash.update(readFile(file))
  return hash.digest('hex').slice(0, 24)
}

/** Replaces the text of a mutation. Throws if it does not occur exactly once. */
export function applyMutation(source: string, { id, file, from, to }: PlannedMutation): string {
  const [before, after, ...more] = source.split(from)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(
      `${id}: ${file} contains ${JSON.stringify(from)} ${more.length > 0 ? 'more than once' : 'nowhere'}. See test/conformance/requirements.`,
    )
  return `${before}${to}${after}`
}

/** How one test ended: passed, or the first line of its failure. */
export type TestResult = { passed: true } | { passed: false; why: string }

const run = promisify(execFile)

/** Runs one test in a tree. Throws if no test has this name. */
export async function runTest(tree: string, test: string, project: string): Promise<TestResult> {
  const [file = '', ...names] = test.split(' > ')
  const report = join(tree, `report-${createHash('sha256').update(test).digest('hex').slice(0, 8)}.json`)
  const args = ['run', '--project', project, file, '-t', `^${names.map(toPattern).join(' (?:> )?')}$`]
  try {
    await run(join(tree, 'node_modules/.bin/vitest'), [...args, '--reporter=json', `--outputFile=${report}`], {
      cwd: tree,
      maxBuffer: 64 * 1024 * 1024,
    }).catch(() => {})
    return readReport(report, test)
  } finally {
    rmSync(report, { force: true })
  }
}

/** Matches a name as the runner lists it: placeholders of `test.each` stand for any text. */
function toPattern(name: string): string {
  return name
    .split(/%[a-z]|\$\{[^}]*\}|\$\w+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*')
}

interface Report {
  testResults: { status: string; message: string; assertionResults: { status: string; failureMessages: string[] }[] }[]
}

function readReport(path: string, test: string): TestResult {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report
  const assertions = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = assertions.find(({ status }) => status === 'failed')
  if (failed) return { passed: false, why: firstLine(failed.failureMessages[0]) }
  const broken = testResults.find(({ status }) => status === 'failed')
  if (broken) return { passed: false, why: firstLine(broken.message) }
  if (!assertions.some(({ status }) => status === 'passed')) throw new Error(`No test ran: ${test}`)
  return { passed: true }
}

const firstLine = (text = '') => text.split('\n', 1)[0]?.slice(0, 200) ?? ''

/** Plants a mutation in a tree and runs its tests until one fails. Returns why, or null if all pass. */
export async function plantMutation(
  tree: string,
  mutation: PlannedMutation,
  projectOf: (test: string) => string,
): Promise<string | null> {
  const path = join(tree, mutation.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, applyMutation(source, mutation))
  try {
    for (const test of mutation.tests) {
      const result = await runTest(tree, test, projectOf(test))
      if (!result.passed) return result.why
    }
    return null
  } finally {
    writeFileSync(path, source)
  }
}
