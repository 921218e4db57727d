// pnpm conformance                     checks that every test that a requirement names is one that the runner lists
// pnpm conformance --spec <file>       goes through a specification, sentence by sentence: what does no requirement cover?
// pnpm conformance --mutate            changes the behaviour of every route, page and tool: do the checks notice?
//   [--check <name>]...                only those of a check, such as "GET /api/market/open"
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { additions } from '../test/conformance/requirements/additions.ts'
import { exemptions } from '../test/conformance/requirements/exemptions.ts'
import { isLiteral } from '../test/conformance/requirements/requirement.ts'
import { requirements } from '../test/conformance/requirements/requirements.ts'
import { splitSentences } from './conformance/sentences.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    spec: { type: 'string' },
    mutate: { type: 'boolean', default: false },
    check: { type: 'string', multiple: true },
  },
})

compareWithTests()
if (values.spec) compareWithSpec(values.spec)
if (values.mutate) await mutate()

function compareWithTests(): void {
  const tests = listTests()
  const named = [...requirements, ...additions].flatMap((row) => (row.tests ?? []).map((test) => ({ row, test })))
  const unknown = named.filter(({ test }) => !tests.has(test))
  const checked = requirements.filter(({ checks = [] }) => checks.length > 0)
  const literal = requirements.filter((row) => !checked.includes(row) && row.tests?.some(isLiteral))
  const rest = requirements.filter((row) => !checked.includes(row) && !literal.includes(row))
  console.log(`${requirements.length} requirements: ${checked.length} have checks that mutations try,`)
  console.log(
    `${literal.length} a literal value in a test; not counted as covered, because nothing tries their tests: ${rest.length}`,
  )
  for (const { id } of rest) console.log(`  ${id}`)
  for (const { row, test } of unknown) console.log(`  no such test: ${test} (${row.says})`)
  if (unknown.length > 0) process.exitCode = 1
}

function compareWithSpec(file: string): void {
  const sentences = splitSentences(readFileSync(file, 'utf8'))
  const covered = new Set(requirements.flatMap(({ covers }) => covers))
  const exempt = new Set(exemptions.flatMap(({ covers }) => covers))
  const count = (keys: ReadonlySet<string>) => sentences.filter(({ key }) => keys.has(key)).length
  const uncovered = sentences.filter(({ key }) => !covered.has(key) && !exempt.has(key))
  const present = new Set(sentences.map(({ key }) => key))
  for (const { line, key, text } of uncovered) console.log(`  not covered: ${file}:${line} ${key} ${text}`)
  for (const { id, covers } of requirements) {
    for (const key of covers) if (!present.has(key)) console.log(`  no such sentence: ${key} of ${id}`)
  }
  for (const key of exempt) if (!present.has(key)) console.log(`  no such sentence: ${key} of the exemptions`)
  console.log(
    `${sentences.length} sentences: ${count(covered)} covered, ${count(exempt)} exempt, ${uncovered.length} uncovered`,
  )
  if (uncovered.length > 0 || [...covered, ...exempt].some((key) => !present.has(key))) process.exitCode = 1
}

async function mutate(): Promise<void> {
  const { checkNames, listChecks } = await import('../test/behaviour/checks/index.ts')
  const { formatMisses, formatOutcomes, planTrials, rememberReads, tryMutation } = await import(
    '../test/behaviour/runChecks.ts'
  )
  const { startBehaviourWorld } = await import('../test/behaviour/world.ts')
  const world = await startBehaviourWorld()
  try {
    const call = rememberReads(world.call)
    const checks = listChecks(world)
    const results = []
    for (const name of checkNames.filter((each) => !values.check || values.check.includes(each))) {
      const trials = await planTrials(name, checks[name], call)
      for (const trial of trials) results.push(await tryMutation(checks[name], call, trial))
      console.log(`${name}: ${trials.length} mutations`)
    }
    for (const line of [...formatMisses(results), ...formatOutcomes(results)]) console.log(line)
    if (formatMisses(results).length > 0) process.exitCode = 1
  } finally {
    await world.stop()
  }
}

/** Lists every test as the runner names it, `<file> > <full name>`, with its project. Nothing is run. */
function listTests(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'))
  try {
    const file = join(folder, 'tests.json')
    const vitest = join(root, 'node_modules/.bin/vitest')
    execFileSync(vitest, ['list', `--json=${file}`], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    const tests = JSON.parse(readFileSync(file, 'utf8')) as { name: string; file: string; projectName: string }[]
    return new Map(tests.map((test) => [`${relative(root, test.file)} > ${test.name}`, test.projectName]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
