// pnpm conformance                     checks that every test that a requirement names is one that the runner lists
// pnpm conformance --spec <file>       goes through a specification, sentence by sentence: what does no requirement cover?
// pnpm conformance --mutate            plants each mutation of a requirement in a scratch tree: do its tests notice?
//   [--from <n>] [--count <n>]         only some of them, counted from 0
//   [--row <id>]...                    only those of a requirement
//   [--jobs <n>]                       trees at once, 2 unless given
//   [--fresh]                          also those that were caught before, with the same code and the same test files
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { additions } from '../test/conformance/requirements/additions.ts'
import { exemptions } from '../test/conformance/requirements/exemptions.ts'
import { requirements } from '../test/conformance/requirements/requirements.ts'
import { listTests } from './conformance/listTests.ts'
import {
  hashMutation,
  type PlannedMutation,
  plannedMutations,
  plantMutation,
  runTest,
} from './conformance/mutations.ts'
import { createScratchTree } from './conformance/scratchTree.ts'
import { splitSentences } from './conformance/sentences.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    spec: { type: 'string' },
    mutate: { type: 'boolean', default: false },
    from: { type: 'string', default: '0' },
    count: { type: 'string' },
    row: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '2' },
    fresh: { type: 'boolean', default: false },
  },
})

const tests = listTests(root)
const named = [...requirements, ...additions].flatMap((row) => row.tests.map((test) => ({ row, test })))
const unknown = named.filter(({ test }) => !tests.has(test))
console.log(
  `${requirements.length} requirements and ${additions.length} additions name ${new Set(named.map(({ test }) => test)).size} tests; ${plannedMutations.length} mutations`,
)
for (const { row, test } of unknown) console.log(`  no such test: ${test} (${row.says})`)
if (unknown.length > 0) process.exitCode = 1
if (values.spec) compareWithSpec(values.spec)
if (values.mutate) await mutate()

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
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim()
  if (git('status', '--porcelain') !== '')
    console.log('Changes that are not committed are not part of the scratch tree.')
  const folder = join(root, 'node_modules/.cache/conformance')
  mkdirSync(folder, { recursive: true })
  const journal = join(folder, 'caught.txt')
  const known = new Set(values.fresh || !existsSync(journal) ? [] : readFileSync(journal, 'utf8').split('\n'))
  const end = values.count ? Number(values.from) + Number(values.count) : undefined
  const chosen = plannedMutations
    .slice(Number(values.from), end)
    .filter(({ id }) => !values.row || values.row.includes(id.slice(0, id.lastIndexOf('.'))))
  const committed = new Map<string, string>()
  const readCommitted = (path: string) => {
    const text = committed.get(path) ?? git('show', `HEAD:${path}`)
    committed.set(path, text)
    return text
  }
  const queue = chosen.filter((mutation) => !known.has(hashMutation(mutation, readCommitted)))
  const missed: PlannedMutation[] = []
  // An interrupted run reports what it has, and removes its trees.
  process.once('SIGINT', () => queue.splice(0))
  let [caught, done] = [chosen.length - queue.length, 0]
  const total = queue.length
  console.log(`${chosen.length} mutations, ${caught} of them caught before`)
  /** Tests that pass without a mutation, each tried once. */
  const sound = new Map<string, Promise<void>>()

  await Promise.all(
    Array.from({ length: Math.min(Number(values.jobs), total) }, async () => {
      const tree = createScratchTree(root)
      try {
        for (let mutation = queue.shift(); mutation; mutation = queue.shift()) await judge(tree.path, mutation)
      } finally {
        tree.remove()
      }
    }),
  )
  console.log(`${caught + missed.length} planted, ${caught} caught, ${missed.length} missed`)
  for (const { id, file, from, to } of missed) console.log(`  missed: ${id} ${file}\n    - ${from}\n    + ${to}`)
  if (missed.length > 0) process.exitCode = 1

  async function judge(tree: string, mutation: PlannedMutation): Promise<void> {
    const [first = ''] = mutation.tests
    const why = await (sound.get(first) ?? remember(tree, first))
      .then(() => plantMutation(tree, mutation, projectOf))
      .catch((error: Error) => {
        console.log(`  ${error.message}`)
        return null
      })
    done++
    console.log(`${done}/${total} ${mutation.id}: ${why === null ? 'MISSED' : `caught: ${why}`}`)
    if (why === null) {
      missed.push(mutation)
      return
    }
    caught++
    appendFileSync(journal, `${hashMutation(mutation, readCommitted)}\n`)
  }

  function remember(tree: string, test: string): Promise<void> {
    const passes = runTest(tree, test, projectOf(test)).then((result) => {
      if (!result.passed) throw new Error(`${test} fails without a mutation: ${result.why}`)
    })
    sound.set(test, passes)
    return passes
  }
}

function projectOf(test: string): string {
  const project = tests.get(test)
  if (!project) throw new Error(`The runner lists no test ${test}.`)
  return project
}
