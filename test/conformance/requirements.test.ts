import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { applyMutation, plannedMutations } from '../../scripts/conformance/mutations.ts'
import { root } from '../docs/markdown.ts'
import { additions } from './requirements/additions.ts'
import { exemptions } from './requirements/exemptions.ts'
import { requirements } from './requirements/requirements.ts'

test('every requirement has an id of its own, a sentence and a test', () => {
  expect(requirements.length).toBeGreaterThan(150)
  const ids = requirements.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  for (const { id, covers, tests } of requirements) {
    expect(covers.length, id).toBeGreaterThan(0)
    expect(tests.length, id).toBeGreaterThan(0)
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
    [...requirements, ...additions].flatMap(({ tests }) => tests.map((each) => each.split(' > ')[0])),
  )
  expect([...files].filter((file) => !existsSync(`${root}${file}`))).toEqual([])
})

test('every mutation changes one place of its file', () => {
  const wrong = plannedMutations.flatMap((mutation) => {
    try {
      const source = readFileSync(root + mutation.file, 'utf8')
      return applyMutation(source, mutation) === source ? [`${mutation.id} changes nothing`] : []
    } catch (error) {
      return [(error as Error).message]
    }
  })
  expect(wrong).toEqual([])
})
