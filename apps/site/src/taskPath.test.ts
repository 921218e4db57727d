import { expect, test } from 'vitest'
import { buildTaskPath, getPageKey } from './taskPath.ts'

test('a path has the id and a readable form of the title', () => {
  expect(buildTaskPath('v2:micro:7', '  Schöne Grüße — draw a map! ')).toBe(
    '/tasks/v2:micro:7/schone-gru%C3%9Fe-draw-a-map',
  )
  expect(buildTaskPath('v2:micro:7', '🔥/../<b>')).toBe('/tasks/v2:micro:7/b')
  expect(buildTaskPath('v2:micro:7', '!?')).toBe('/tasks/v2:micro:7')
  expect(buildTaskPath('v2:micro:7', null)).toBe('/tasks/v2:micro:7')
})

test('all addresses of a task are one page', () => {
  expect(new Set(['/task/v2:micro:7', '/tasks/v2:micro:7', '/tasks/v2:micro:7/any-title'].map(getPageKey)).size).toBe(1)
  expect(getPageKey('/tasks')).toBe('/tasks')
})
