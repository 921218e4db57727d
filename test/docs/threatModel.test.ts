import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPage, root } from './markdown.ts'

const { text } = readPage('docs/threat-model.md')

test('every test that is named as a proof exists under its title', () => {
  const proofs = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|sol))`(?:: "([^"]+)")?/g)]
  expect(proofs.length).toBeGreaterThan(40)
  const isThere = (path: string, title: string) =>
    existsSync(root + path) && readFileSync(root + path, 'utf8').includes(title)
  expect(proofs.filter(([, path = '', title = '']) => !isThere(path, title)).map(([proof]) => proof)).toEqual([])
})

test('every row names a proof', () => {
  const rows = text.split('\n').filter((line) => /^\| (?!Who|---)/.test(line))
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter((row) => !/`[^`]+`[^|]*\|$/.test(row))).toEqual([])
})
