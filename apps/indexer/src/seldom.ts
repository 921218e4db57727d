/** Lets a line through at once, and then one in so many milliseconds for as long as it goes on. */
export interface Seldom {
  /** How many times since it was let through last, this one included; null when it is too soon to say it again. */
  due: (key: string) => number | null
  /** Forgets it; answers whether it was let through since it was forgotten last. */
  over: (key: string) => boolean
}

/** Bounds what a fault that lasts can write to the log. */
export function createSeldom(everyMs: number, now: () => number): Seldom {
  const seen = new Map<string, { at: number; times: number }>()
  return {
    due(key) {
      const last = seen.get(key)
      const times = (last?.times ?? 0) + 1
      const early = last !== undefined && now() - last.at < everyMs
      seen.set(key, early ? { at: last.at, times } : { at: now(), times: 0 })
      return early ? null : times
    },
    over: (key) => seen.delete(key),
  }
}
