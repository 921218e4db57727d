import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const entries = Object.entries(manifest.exports)
  .filter(([, source]) => source.endsWith('.ts'))
  .map(([entry, source]) => ({
    entry,
    source,
    names: listNames(source),
    isPublic: entry in manifest.publishConfig.exports,
  }))

/** Lists what an entry exports, types too. Entries consist of `export { … } from` statements. */
function listNames(source: string): string[] {
  const text = readFileSync(new URL(`../${source}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^export (type )?\{([^}]*)\} from/gm)]
    .flatMap(([, type = '', names = '']) => (names.match(/(?:type )?\w+/g) ?? []).map((name) => `${type}${name}`))
    .sort()
}

test.each(entries)('the names of $entry', async ({ source, names, isPublic }) => {
  const values = names.filter((name) => !name.startsWith('type '))
  expect(Object.keys(await import(new URL(`../${source}`, import.meta.url).href)).sort()).toEqual(values)
  if (isPublic) expect(names.join('\n')).toMatchSnapshot()
})

test('the public surface is small, and everything else is internal', () => {
  const published = entries.filter(({ isPublic }) => isPublic)
  const count = published.reduce((sum, { names }) => sum + names.length, 0)
  expect(count).toBeLessThan(250)
  const others = entries.filter(({ isPublic }) => !isPublic).map(({ entry }) => entry)
  expect(others.filter((entry) => !entry.startsWith('./internal/'))).toEqual([])
  expect(published.filter(({ entry }) => entry.startsWith('./internal/'))).toEqual([])
})

test('a name has one entry', () => {
  const names = entries.flatMap((entry) => entry.names)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
