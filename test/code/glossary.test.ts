import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

const glossary = 'docs/glossary.md'

test('no file uses a word that the glossary replaces', () => {
  const text = readFileSync(new URL(`../../${glossary}`, import.meta.url), 'utf8')
  const [, table = ''] = text.split('## Write this, not that')
  const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell)
  const words = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word))
  expect(words.length).toBeGreaterThan(30)
  const pattern = new RegExp(`\\b(?:${words.join('|')})\\b`, 'g')
  const found = readSources('**/*.{ts,tsx,md,js,mjs,yaml,yml,sh}')
    .filter(({ path }) => path !== glossary && !path.startsWith('test/code/'))
    .flatMap(({ path, text }) => [...new Set(text.match(pattern))].map((word) => `${path}: ${word}`))
  expect(found).toEqual([])
})
