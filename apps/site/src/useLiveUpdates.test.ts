import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRefresher } from './useLiveUpdates.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

// Events every 200 ms once kept every read waiting, and every 400 ms caused a hundred reads in ten seconds.
test.each([50, 200, 400, 900])('an event every %i ms refreshes at once, then about once a second', (interval) => {
  const flush = vi.fn()
  const { add, stop } = createRefresher(flush)
  for (let at = 0; at < 10_000; at += interval) {
    add(`v2:standard:${at}`)
    if (at === 0) expect(flush).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(interval)
  }
  expect(flush.mock.calls.length).toBeGreaterThanOrEqual(9)
  expect(flush.mock.calls.length).toBeLessThanOrEqual(11)
  stop()
})

test('a refresh has every task that events touched since the last one, and everything after a reorg', () => {
  const seen: (readonly string[] | null)[] = []
  const { add, everything, stop } = createRefresher((touched) => seen.push(touched && [...touched]))
  add('v2:micro:1')
  add('v2:micro:2')
  add(null)
  add('v2:micro:2')
  vi.advanceTimersByTime(1_000)
  add('v2:micro:3')
  everything()
  add('v2:micro:4')
  vi.advanceTimersByTime(1_000)
  expect(seen).toEqual([['v2:micro:1'], ['v2:micro:2'], null])
  stop()
})

test('nothing is refreshed without an event, nor after the end', () => {
  const flush = vi.fn()
  const { add, stop } = createRefresher(flush)
  vi.advanceTimersByTime(5_000)
  expect(flush).not.toHaveBeenCalled()
  add('v2:micro:1')
  add('v2:micro:2')
  stop()
  vi.advanceTimersByTime(5_000)
  expect(flush).toHaveBeenCalledTimes(1)
})
