import type { Log } from './log.ts'

/** Limits how often a repeated message is logged: at once the first time, then once per interval. */
export interface LogThrottle {
  /** Returns how often the message occurred since it was last logged, including this time; null if it is too soon to log it. */
  shouldLog: (key: string) => number | null
  /** Forgets the message. Returns whether it had been logged. */
  clear: (key: string) => boolean
}

/** Messages that are remembered. Beyond, all are forgotten, and some are logged early. */
const maxSeen = 10_000

/** Creates a throttle for log messages, so that a lasting error cannot flood the log. */
export function createLogThrottle(everyMs: number, now: () => number): LogThrottle {
  const seen = new Map<string, { at: number; times: number }>()
  return {
    shouldLog(key) {
      const last = seen.get(key)
      const times = (last?.times ?? 0) + 1
      const early = last !== undefined && now() - last.at < everyMs
      if (!last && seen.size >= maxSeen) seen.clear()
      seen.set(key, early ? { at: last.at, times } : { at: now(), times: 0 })
      return early ? null : times
    },
    clear: (key) => seen.delete(key),
  }
}

/** Creates a function that warns of an error with a message: each message at most once a minute. */
export function createThrottledWarning(log: Pick<Log, 'warn'>): (error: Error, message: string) => void {
  const throttle = createLogThrottle(60_000, Date.now)
  return (error, message) => {
    const times = throttle.shouldLog(message)
    if (times !== null) log.warn({ times, err: getErrorMessage(error) }, message)
  }
}

/** Returns the message of an error, or its code or name if it has none (AggregateError). */
export function getErrorMessage(error: Error): string {
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}
