import { expect, test } from 'vitest'
import { createTextCache } from './textCache.ts'

test('keeps what is asked for, drops the rest, and never holds more than its size', () => {
  const cache = createTextCache(100)
  const text = (index: number) => String(index).padEnd(10)
  cache.put('asked', text(-1))
  for (let index = 0; index < 1_000; index++) {
    cache.put(`${index}`, text(index))
    expect(cache.get('asked')).toBe(text(-1))
  }
  const kept = Array.from({ length: 1_000 }, (_, index) => cache.get(`${index}`)).filter((each) => each !== undefined)
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.length).toBeLessThan(10)
})
