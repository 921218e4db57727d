import { globSync, readFileSync } from 'node:fs'
import { faultKinds } from '@svc/simulation/chain'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { faultNames } from '../../chaos/alerts/faultNames.ts'
import { mailFaults } from '../../chaos/mailbox/hostileStore.ts'
import { victims } from '../../chaos/notify/kills.ts'
import { providerFaults } from '../../chaos/providers/cases.ts'
import { providerFaultKinds } from '../../chaos/whole/faultyProvider.ts'
import { exampleEnv } from '../harness/exampleEnv.ts'
import { extractSection, readPage, root } from './markdown.ts'

const page = readPage('docs/operations.md')
const read = (path: string) => readFileSync(root + path, 'utf8')

test('every variable of .env.example is documented', () => {
  const table = extractSection(page, '## Configuration')
  expect(Object.keys(exampleEnv).filter((name) => !table.includes(`\`${name}\``))).toEqual([])
})

describe('the alerts', () => {
  const rules: { alert: string; expr: string; annotations: { runbook: string } }[] = parse(
    read('deploy/alerts.yml'),
  ).groups.flatMap(({ rules }: { rules: unknown[] }) => rules)
  test('each one has a paragraph, and each paragraph has an alert', () => {
    const headings = [...extractSection(page, '## Alerts').matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect(headings.sort()).toEqual(rules.map(({ alert }) => alert).sort())
  })
  test('each one links to its paragraph', () => {
    for (const { annotations } of rules) {
      const [path, anchor = ''] = annotations.runbook.split('#')
      expect(path).toBe(page.path)
      expect(page.anchors).toContain(anchor)
    }
  })
})

describe('the runbook has an entry for every fault of', () => {
  const missing = (heading: string, names: readonly string[]) => {
    const entries = extractSection(page, heading)
    expect(names.length).toBeGreaterThan(0)
    return names.filter((name) => !entries.includes(`\`${name}\``))
  }
  /** The names of a suite's scenarios. */
  const listScenarios = (suite: string) => {
    const [, block = ''] = /const scenarios.* = \{\n([\s\S]*?)^\}/m.exec(read(`chaos/${suite}/main.ts`)) ?? []
    return [...block.matchAll(/^ {2}(?:\.\.\.\(\w+ && \{ )?'?([\w ]+?)'?: /gm)].map(([, name = '']) => name)
  }

  test('the providers', () => {
    expect(missing('### A provider misbehaves', faultKinds)).toEqual([])
  })
  test('one of several providers', () => {
    expect(missing('### `pnpm chaos providers`', Object.keys(providerFaults))).toEqual([])
  })
  test('the chain', () => {
    const [, fields = ''] = /interface SeedProfile \{([\s\S]*?)^\}/m.exec(read('chaos/index/chainDriver.ts')) ?? []
    const profiles = [...fields.matchAll(/^ {2}(\w+): boolean/gm)].map(([, name = '']) => name)
    expect(missing('### The chain reorganises', profiles)).toEqual([])
  })
  test('the statements', () => {
    const [, list = ''] = /const losses = \[(.*)\]/.exec(read('chaos/index/faultInjector.ts')) ?? []
    const losses = list.split(', ').map((name) => name.replaceAll("'", ''))
    expect(missing('### The indexer or its database dies at any statement', losses)).toEqual([])
  })
  test.each(['process', 'service'])('the scenarios of %s', (suite) => {
    const scenarios = listScenarios(suite)
    expect(scenarios.length).toBeGreaterThan(4)
    expect(missing(`### \`pnpm chaos ${suite}\``, scenarios)).toEqual([])
  })
  test('the drill of alerts', () => {
    expect(missing('### `pnpm chaos alerts`', faultNames)).toEqual([])
  })
  test('the whole system', () => {
    const disruptions = [...read('chaos/whole/disruptions.ts').matchAll(/\{ kind: '(\w+)'/g)].map(
      ([, kind = '']) => kind,
    )
    expect(missing('### `pnpm chaos whole`', [...disruptions, ...providerFaultKinds])).toEqual([])
  })
  test('what is killed beside the notifier', () => {
    expect(missing('### `pnpm chaos notify`', [...victims])).toEqual([])
    expect(missing('### `pnpm chaos mailbox`', [...mailFaults])).toEqual([])
  })
  test('every suite', () => {
    const suites = globSync('chaos/*/main.ts', { cwd: root }).map((path) => path.split('/')[1])
    expect(suites.filter((suite) => !extractSection(page, '## Runbook').includes(`\`pnpm chaos ${suite}\``))).toEqual(
      [],
    )
  })
})
