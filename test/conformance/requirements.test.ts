import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../docs/markdown.ts'
import { additions } from './requirements/additions.ts'
import { exemptions } from './requirements/exemptions.ts'
import { requirements } from './requirements/requirements.ts'

test('every requirement has an id of its own, a sentence, and a check or a test', () => {
  expect(requirements.length).toBeGreaterThan(150)
  const ids = requirements.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  for (const { id, covers, checks = [], tests = [] } of requirements) {
    expect(covers.length, id).toBeGreaterThan(0)
    expect(checks.length + tests.length, id).toBeGreaterThan(0)
  }
})

test('no sentence is both covered and exempt', () => {
  const covered = new Set(requirements.flatMap(({ covers }) => covers))
  const exempt = exemptions.flatMap(({ covers }) => covers)
  expect(exempt.filter((key) => covered.has(key))).toEqual([])
  expect([...covered, ...exempt].filter((key) => !/^[0-9a-f]{12}$/.test(key))).toEqual([])
})

test('every file of a test exists', () => {
  const files = new Set(
    [...requirements, ...additions].flatMap(({ tests = [] }) => tests.map((each) => each.split(' > ')[0])),
  )
  expect([...files].filter((file) => !existsSync(`${root}${file}`))).toEqual([])
})
