import { setTimeout as wait } from 'node:timers/promises'

/** Wakes followers that wait for a new block. */
export interface HeadSignal {
  notify: () => void
  /** Resolves at the next notification, after `ms`, or at once if there was one since this follower last waited. */
  next: (follower: string, ms: number, signal: AbortSignal) => Promise<void>
}

/** Creates a signal that is never missed: a head that arrives while a follower works ends its next wait at once. */
export function createHeadSignal(): HeadSignal {
  let version = 0
  const seen = new Map<string, number>()
  const waiters = new Set<AbortController>()
  return {
    notify() {
      version++
      for (const waiter of waiters) waiter.abort()
      waiters.clear()
    },
    async next(follower, ms, signal) {
      if ((seen.get(follower) ?? 0) === version) {
        const waiter = new AbortController()
        waiters.add(waiter)
        await wait(ms, undefined, { signal: AbortSignal.any([signal, waiter.signal]) }).catch(() => {})
        waiters.delete(waiter)
      }
      seen.set(follower, version)
    },
  }
}
