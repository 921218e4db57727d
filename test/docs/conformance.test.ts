import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPage, root } from './markdown.ts'

test('every test that the conformance page names exists under its title', () => {
  const rows = [...readPage('docs/conformance.md').text.matchAll(/\| “(.+?)” \| `([^`]+)` \|$/gm)]
  expect(rows.length).toBeGreaterThan(20)
  const isThere = (path: string, title: string) =>
    existsSync(root + path) && readFileSync(root + path, 'utf8').includes(title)
  expect(rows.filter(([, title = '', path = '']) => !isThere(path, title)).map(([row]) => row)).toEqual([])
})
