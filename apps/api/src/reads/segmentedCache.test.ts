import { expect, test } from 'vitest'
import { createSegmentedCache } from './segmentedCache.ts'

const createTestCache = (wanted: string[] = []) =>
  createSegmentedCache<string>({
    maxCount: 100,
    maxBytes: 1_600,
    measureSize: (value) => value.length,
    onPromote: (value) => wanted.push(value),
  })

test('whoever walks through all pages pushes nothing out that others want', () => {
  const wanted: string[] = []
  const shelf = createTestCache(wanted)
  shelf.put('first page', 'x'.repeat(90))
  expect(shelf.get('first page')).toHaveLength(90)
  expect(wanted).toHaveLength(1)
  for (let page = 0; page < 1_000; page++) shelf.put(`page ${page}`, 'y'.repeat(90))
  expect(shelf.get('first page')).toHaveLength(90)
  expect(shelf.get('page 0')).toBeUndefined()
  expect(shelf.get('page 999')).toHaveLength(90)
})

test('what is wanted is bounded too, and the oldest goes first', () => {
  const shelf = createTestCache()
  for (let page = 0; page < 50; page++) {
    shelf.put(`page ${page}`, 'y'.repeat(90))
    shelf.get(`page ${page}`)
  }
  const kept = Array.from({ length: 50 }, (_, page) => page).filter((page) => shelf.get(`page ${page}`))
  expect(kept.length * 90).toBeLessThanOrEqual(1_600)
  expect(kept.at(-1)).toBe(49)
  expect(kept[0]).toBe(50 - kept.length)
})
