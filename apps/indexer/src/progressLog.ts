import type { Market } from '@svc/protocol'
import { createLogThrottle, getErrorMessage } from '@svc/serve'
import type { Progress } from './follow.ts'

/** A lasting error is logged again at this interval. */
const repeatMs = 10_000

/** Where progress is logged. */
export type ProgressLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>>

/** Creates a logger of followers' progress: each change of state once, and a lasting error at an interval. */
export function createProgressLog(log: ProgressLog, now: () => number = Date.now) {
  const stalls = createLogThrottle(repeatMs, now)
  const caughtUp = new Set<Market>()
  const standbyMarkets = new Set<Market>()

  return (market: Market, progress: Progress): void => {
    if (progress.kind === 'stalled') {
      const times = stalls.shouldLog(market)
      if (times !== null) log.warn({ market, times, err: getErrorMessage(progress.error) }, 'stalled')
    } else if (progress.kind === 'halted') log.error({ market, reason: progress.reason }, 'halted')
    else if (progress.kind === 'standby') {
      // A follower that lost its connection returns here on every attempt.
      if (!standbyMarkets.has(market)) log.info({ market }, 'standby')
      standbyMarkets.add(market)
    } else {
      const [block, { digest }] = [Number(progress.cursor.number), progress.cursor]
      standbyMarkets.delete(market)
      if (progress.kind === 'writing') log.info({ market, block }, 'writing')
      else if (stalls.clear(market)) log.info({ market, block }, 'recovered')
      if (progress.kind === 'rolledBack')
        log.warn({ market, block, depth: Number(progress.depth) }, 'rolled back after a reorg')
      if (progress.kind !== 'caughtUp' || caughtUp.has(market)) return
      caughtUp.add(market)
      log.info({ market, block, digest }, 'caught up')
    }
  }
}
