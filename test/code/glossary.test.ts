import { expect, test } from 'vitest'
import { glossary, readGlossaryWords, readSources } from './sources.ts'

test('no file uses a word that the glossary replaces', () => {
  const words = readGlossaryWords('Write this, not that')
  expect(words.length).toBeGreaterThan(30)
  const pattern = new RegExp(`\\b(?:${words.join('|')})\\b`, 'g')
  const found = readSources('**/*.{ts,tsx,md,js,mjs,yaml,yml,sh}')
    .filter(({ path }) => path !== glossary && !path.startsWith('test/code/'))
    .flatMap(({ path, text }) => [...new Set(text.match(pattern))].map((word) => `${path}: ${word}`))
  expect(found).toEqual([])
})
