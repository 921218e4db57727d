import type { Part } from '@svc/serve'
import { expect, test, vi } from 'vitest'
import { supervisePart } from './supervisePart.ts'

test('a part that fails is started again, later and later, and says why it is not ready', async () => {
  const stop = new AbortController()
  const waits: number[] = []
  const attempts: { fail: (error: Error) => void; signal: AbortSignal }[] = []
  const supervised = supervisePart<Part>({
    start(signal) {
      const { promise, reject, resolve } = Promise.withResolvers<void>()
      attempts.push({ fail: reject, signal })
      signal.addEventListener('abort', () => resolve())
      if (attempts.length === 2) throw new Error('no start')
      return { done: promise, readiness: async () => ({ ready: true }) }
    },
    signal: stop.signal,
    onFailure: (_, waitMs) => waits.push(waitMs),
    waitMs: 40,
    maxWaitMs: 100,
  })
  await vi.waitFor(() => expect(supervised.current()).not.toBeNull())
  for (const started of [1, 3, 4, 5]) {
    await vi.waitFor(() => expect(attempts).toHaveLength(started))
    await vi.waitFor(async () => expect(await supervised.readiness()).toEqual({ ready: true }))
    const attempt = attempts[started - 1]
    attempt?.fail(new Error('broken\nand more'))
    await vi.waitFor(() => expect(attempt?.signal.aborted).toBe(true))
    expect(await supervised.readiness()).toEqual({
      ready: false,
      why: expect.stringMatching(/^it failed: (broken|no start)$/),
    })
  }
  expect(waits.slice(0, 4)).toEqual([40, 80, 100, 100])
  stop.abort()
  await supervised.done
  expect(supervised.current()).toBeNull()
})
