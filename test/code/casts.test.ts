import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

const isTest = (path: string) => /\.test\.tsx?$|(?:^|\/)test\//.test(path)
const cast = /\bas (?:unknown as|never)\b/g

test('no cast hides a type outside tests', () => {
  const found = readSources('**/*.{ts,tsx}')
    .filter(({ path }) => !isTest(path))
    .map(({ path, text }) => ({ path, count: text.match(cast)?.length ?? 0 }))
  expect(found.length).toBeGreaterThan(500)
  expect(found.filter(({ count }) => count > 0)).toEqual([])
})
