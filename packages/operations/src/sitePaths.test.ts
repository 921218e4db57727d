import { expect, test } from 'vitest'
import { matchSitePath } from './sitePaths.ts'

test.each([
  ['/', '/', {}],
  ['/tasks/', '/tasks', {}],
  ['/tasks/v2%3Amicro%3A7', '/tasks/:id', { id: 'v2:micro:7' }],
  ['/tasks/v2:micro:7/draw-a-map', '/tasks/:id/:slug', { id: 'v2:micro:7', slug: 'draw-a-map' }],
  ['/task/v2:micro:7', '/task/:id', { id: 'v2:micro:7' }],
  ['/do', '/do', {}],
  ['/do/claim-task', '/do/:action', { action: 'claim-task' }],
])('%s is the page %s', (path, pattern, params) => {
  expect(matchSitePath(path)).toEqual({ pattern, params })
})

test.each(['/nothing', '/tasks/a/b/c', '/u/', '/task/%E0%A4%A', '/api/market/open', ''])('%s is no page', (path) => {
  expect(matchSitePath(path)).toBeNull()
})
