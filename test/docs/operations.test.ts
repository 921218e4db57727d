import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { faultKinds } from '../../chaos/sim/faults.ts'
import { lieKinds } from '../../chaos/whole/liar.ts'
import { backupCommand, restoreCommand } from '../harness/backup.ts'
import { exampleEnv } from '../harness/exampleEnv.ts'
import { readPage, root, sectionOf } from './markdown.ts'

const book = readPage('docs/operations.md')
const read = (path: string) => readFileSync(root + path, 'utf8')

test('every variable of .env.example has its line', () => {
  const table = sectionOf(book, '## Configuration')
  expect(Object.keys(exampleEnv).filter((name) => !table.includes(`\`${name}\``))).toEqual([])
})

test('the commands of backup and restore are those that are played', () => {
  expect(book.shellLines).toEqual(expect.arrayContaining([backupCommand, restoreCommand]))
})

test('every metric is explained, and there is no other', () => {
  const source = globSync('apps/{indexer,api}/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .map(read)
    .join('\n')
  const written = source.match(/(?<=name: ')svc_index_\w+|svc_api_\w+(?=')/g) ?? []
  const gauges = [...source.matchAll(/gauge\('(\w+)'/g)].map(([, name]) => `svc_api_${name}`)
  const named = (text: string) =>
    (text.match(/\bsvc_(?:index|api)_\w+/g) ?? []).map((name) => name.replace(/_(?:count|bucket|sum)$/, ''))
  const known = new Set([...written, ...gauges])
  expect(known.size).toBeGreaterThan(15)
  expect(new Set(named(book.text))).toEqual(known)
})

describe('the alerts', () => {
  const rules: { alert: string; expr: string; annotations: { runbook: string } }[] = parse(
    read('deploy/alerts.yml'),
  ).groups.flatMap(({ rules }: { rules: unknown[] }) => rules)
  test('each has its paragraph, and each paragraph its alert', () => {
    const headings = [...sectionOf(book, '## Alerts').matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect(headings.sort()).toEqual(rules.map(({ alert }) => alert).sort())
  })
  test('each names the paragraph that is there', () => {
    for (const { annotations } of rules) {
      const [path, anchor = ''] = annotations.runbook.split('#')
      expect(path).toBe(book.path)
      expect(book.anchors).toContain(anchor)
    }
  })
})

describe('the runbook has an entry for every fault of', () => {
  const missing = (heading: string, names: readonly string[]) => {
    const entries = sectionOf(book, heading)
    expect(names.length).toBeGreaterThan(0)
    return names.filter((name) => !entries.includes(`\`${name}\``))
  }
  /** The names of the scenes that a suite plays. */
  const scenesOf = (suite: string) => {
    const [, block = ''] = /const scenes.* = \{\n([\s\S]*?)^\}/m.exec(read(`chaos/${suite}/main.ts`)) ?? []
    return [...block.matchAll(/^ {2}(?:\.\.\.\(\w+ && \{ )?'?([\w ]+?)'?: /gm)].map(([, name = '']) => name)
  }

  test('the providers', () => {
    expect(missing('### A provider misbehaves', faultKinds)).toEqual([])
  })
  test('the worlds', () => {
    const [, fields = ''] = /interface Flavour \{([\s\S]*?)^\}/m.exec(read('chaos/index/world.ts')) ?? []
    const flavours = [...fields.matchAll(/^ {2}(\w+): boolean/gm)].map(([, name = '']) => name)
    expect(missing('### The chain goes another way', flavours)).toEqual([])
  })
  test('the fates', () => {
    const [, list = ''] = /const losses = \[(.*)\]/.exec(read('chaos/index/fate.ts')) ?? []
    const losses = list.split(', ').map((name) => name.replaceAll("'", ''))
    expect(missing('### The indexer or its database dies at any statement', losses)).toEqual([])
  })
  test.each(['process', 'service'])('the scenes of %s', (suite) => {
    const scenes = scenesOf(suite)
    expect(scenes.length).toBeGreaterThan(4)
    expect(missing(`### \`pnpm chaos ${suite}\``, scenes)).toEqual([])
  })
  test('the whole', () => {
    const mishaps = [...read('chaos/whole/mishaps.ts').matchAll(/\{ kind: '(\w+)'/g)].map(([, kind = '']) => kind)
    expect(missing('### `pnpm chaos whole`', [...mishaps, ...lieKinds])).toEqual([])
  })
  test('every suite', () => {
    const suites = globSync('chaos/*/main.ts', { cwd: root }).map((path) => path.split('/')[1])
    expect(suites.filter((suite) => !sectionOf(book, '## Runbook').includes(`\`pnpm chaos ${suite}\``))).toEqual([])
  })
})
