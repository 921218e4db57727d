import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

const statement = /^[ \t]*(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/gm

/** Lists the names between the braces of an import or export. */
const splitNames = (names: string) => names.split(',').flatMap((each) => /(?:type )?(\w+)/.exec(each.trim())?.[1] ?? [])

const files = readSources('**/*.{ts,tsx,md}').map(({ path, text }) => ({
  path,
  statements: [...text.matchAll(statement)].map(([, names = '', from = '']) => ({ names: splitNames(names), from })),
}))

/** Parts of published tables: rows refer to them, so readers of the tables need them. */
const tables = [
  'ActionInput',
  'conditions',
  'disputeConditions',
  'disputeGuards',
  'guards',
  'negotiationOutcomes',
  'negotiationRules',
]

test('the protocol package exports only what something uses', () => {
  const isEntry = (path: string) => /^packages\/protocol\/src\/(?:index\.ts|entries\/)/.test(path)
  const exported = files.filter(({ path }) => isEntry(path)).flatMap((each) => each.statements.flatMap((s) => s.names))
  const used = files
    .flatMap((each) => each.statements)
    .filter(({ from }) => /^@svc\/protocol|\/protocol\/src\//.test(from))
    .flatMap(({ names }) => names)
  expect(exported.length).toBeGreaterThan(300)
  const isUsed = new Set([...used, ...tables])
  expect(exported.filter((name) => !isUsed.has(name))).toEqual([])
})

test('a package that npm installs beside the protocol package imports only its public entries', () => {
  const sources = files.filter(({ path }) => /^packages\/transport-xmtp\/src\/(?!.*\.test\.ts)/.test(path))
  const imported = sources.flatMap(({ statements }) => statements.map(({ from }) => from))
  expect(imported).toContain('@svc/protocol')
  expect(imported.filter((from) => from.startsWith('@svc/protocol/internal/'))).toEqual([])
})
