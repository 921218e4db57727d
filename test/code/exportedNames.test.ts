import { expect, test } from 'vitest'
import { readGlossaryWords, readSources } from './sources.ts'

/** A function declaration, or a constant whose value is an arrow function. A re-export is not a definition. */
const definition =
  /^export (?:default )?(?:async )?(?:function\*? (\w+)|const (\w+)(?:: [^=\n]+)? =\s*(?:async )?(?:<[^>\n]*>)?(?:\([^)]*\)(?::[^=\n]+)? =>|\w+ =>))/gm

test('no two exported functions share a name', () => {
  // A set, because the overloads of a function are several definitions in one file.
  const files = new Map<string, ReadonlySet<string>>()
  for (const { path, text } of readSources('**/*.{ts,tsx}')) {
    if (path.includes('/abis/')) continue
    for (const [, declared, constant] of text.matchAll(definition)) {
      const name = declared ?? constant ?? ''
      files.set(name, new Set([...(files.get(name) ?? []), path]))
    }
  }
  expect(files.size).toBeGreaterThan(500)
  const shared = [...files].filter(([, paths]) => paths.size > 1)
  expect(shared.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([])
})

/** Outside the ABIs, where views of the contracts are named so. */
const maxOfNames = 33

test('few functions are named after what they return, such as `marketOf`', () => {
  const names = readSources('**/*.{ts,tsx}')
    .filter(({ path }) => !path.includes('/abis/'))
    .flatMap(({ text }) => text.match(/(?:function|const) [a-z][A-Za-z]*Of\b/g) ?? [])
  expect(new Set(names).size).toBeLessThan(maxOfNames)
})

const comments = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g
const strings = /'(?:[^'\\\n]|\\.)*'/g
/** A property, a parameter or a binding. The same words in comments and strings are ordinary English. */
const findNames = (text: string, names: readonly string[]): string[] =>
  text
    .replace(comments, '')
    .replace(strings, "''")
    .match(new RegExp(`(?<=^\\s*|[{(,[]\\s*)(?:${names.join('|')})(?=\\??:|\\s*[,)}\\]]|\\s=>)`, 'gm')) ?? []

/** Names that others read: fields of answers, of stored rows and of the output of commands. */
const published = [
  { path: 'apps/api/src/differential.ts', name: 'says' },
  { path: 'apps/gateway/src/requests/', name: 'told' },
  { path: 'apps/tools/src/prepare/', name: 'says' },
]

test('no property, parameter or callback of an app has a name that the glossary replaces', () => {
  const names = readGlossaryWords('Names of properties, parameters and callbacks')
  expect(names.length).toBeGreaterThan(10)
  const found = readSources('apps/**/*.{ts,tsx}').flatMap(({ path, text }) =>
    findNames(text, names).map((name) => ({ path, name })),
  )
  const isPublished = (path: string, name: string) =>
    published.some((each) => path.startsWith(each.path) && each.name === name)
  expect(
    found.filter(({ path, name }) => !isPublished(path, name)).map(({ path, name }) => `${path}: ${name}`),
  ).toEqual([])
  const idle = published.filter(
    ({ path, name }) => !found.some((each) => each.path.startsWith(path) && each.name === name),
  )
  expect(idle).toEqual([])
})

/** What is left in packages and tests, most of it in tables of `test/conformance` and `test/admin`. Lower it when you rename one. */
const maxOldNames = 535

test('packages and tests use few names that the glossary replaces', () => {
  const names = readGlossaryWords('Names of properties, parameters and callbacks')
  const found = readSources('{packages,test,chaos,bench,scripts,examples}/**/*.{ts,tsx}')
    .filter(({ path }) => !path.startsWith('test/code/'))
    .flatMap(({ path, text }) => findNames(text, names).map((name) => `${path}: ${name}`))
  expect(found.length).toBeLessThanOrEqual(maxOldNames)
})

test('a name is found where it is declared or passed on, not in text', () => {
  const code =
    "interface Alarm { says: string }\nconst show = ({ says }: Alarm, clientOf: Resolve) => f(says)\nlet told = 'says, told' // kept, most"
  expect(findNames(code, ['says', 'told', 'kept', 'most', 'clientOf'])).toEqual(['says', 'says', 'clientOf', 'says'])
})
