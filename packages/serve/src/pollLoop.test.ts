import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPollHealth, createPollLoop, type PollFault } from './pollLoop.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a part that fails is reported and does not stop the others', async () => {
  const faults: PollFault[] = []
  const stop = new AbortController()
  const { attempt } = createPollLoop(100, (fault) => faults.push(fault), stop.signal)
  const fail = () => Promise.reject('no answer')
  expect(await attempt('read tasks', fail)).toBe(false)
  expect(await attempt('read receipts', async () => {})).toBe(true)
  expect(faults).toEqual([{ kind: 'fault', what: 'read tasks', error: new Error('no answer') }])
  stop.abort()
  expect(await attempt('read tasks', fail)).toBe(false)
  expect(faults).toHaveLength(1)
})

test('readiness needs a complete poll in which everything answered, and not too long ago', () => {
  let now = 0
  const health = createPollHealth(1_000, () => now)
  expect(health.findReason()).toBe('no poll is complete yet')
  health.recordPoll({ isComplete: false })
  expect(health.findReason()).toBe('not every task was read yet')
  health.recordPoll({ isComplete: true })
  expect(health.findReason()).toBeNull()
  now = 30_001
  health.recordFault({ what: 'grant work', error: new Error('text of a store') })
  health.recordPoll({ isComplete: true, isServing: false })
  expect(health.findReason()).toBe('cannot grant work')
  health.recordPoll({ isComplete: true, isServing: true })
  expect(health.findReason()).toBeNull()
})
