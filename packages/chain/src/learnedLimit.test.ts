import { expect, test } from 'vitest'
import { createLearnedLimit } from './learnedLimit.ts'

/** Asks for a size as a caller does, from a provider with this limit. Returns the sizes that were rejected. */
function ask(limit: ReturnType<typeof createLearnedLimit>, wanted: number, cap: number, times = 1): number[] {
  const rejected: number[] = []
  for (let count = 0; count < times; count++) {
    for (let size = Math.min(wanted, limit.size()); ; size = Math.min(size >> 1, limit.size())) {
      if (size <= cap) {
        limit.accept(size)
        break
      }
      rejected.push(size)
      limit.reject(size)
    }
  }
  return rejected
}

test('halves to a size that is accepted, and never asks for a rejected one again', () => {
  let now = 1_000
  const limit = createLearnedLimit({ now: () => now })
  expect(limit.size()).toBe(Number.POSITIVE_INFINITY)
  const first = ask(limit, 1_000_000, 2_000)
  expect(first).toHaveLength(9)
  expect(limit.size()).toBe(1_953)
  const later = ask(limit, 1_000_000, 2_000, 1_000)
  expect(new Set([...first, ...later]).size).toBe(first.length + later.length)
  expect(Math.min(...later)).toBeGreaterThan(2_000)
  // It has found the limit: nothing between is left to try.
  expect(limit.size()).toBe(2_000)
  expect(ask(limit, 1_000_000, 2_000, 1_000)).toEqual([])
  // Later the provider allows more.
  now += 11 * 60_000
  ask(limit, 1_000_000, 10_000, 500)
  expect(limit.size()).toBe(10_000)
})

test('one dense range does not narrow all others, a smaller limit does', () => {
  const limit = createLearnedLimit({ max: 500, now: () => 1_000 })
  ask(limit, 500, 500, 3)
  limit.reject(500)
  expect(limit.size()).toBe(500)
  ask(limit, 500, 500)
  limit.reject(500)
  limit.reject(500)
  expect(limit.size()).toBe(500)
  limit.reject(500)
  expect(limit.size()).toBe(250)
})

test('ends at one and stays within its maximum', () => {
  const limit = createLearnedLimit({ max: 50, now: () => 1_000 })
  ask(limit, 50, 1)
  expect(limit.size()).toBe(1)
  const other = createLearnedLimit({ max: 50, now: () => 1_000 })
  ask(other, 50, 50, 100)
  expect(other.size()).toBe(50)
})
