import type { Market } from '@svc/protocol'
import type { Logger } from 'pino'
import type { Progress } from './follow.ts'
import { createSeldom } from './seldom.ts'

/** A fault that lasts is said again so often. */
const againMs = 10_000

/** Writes what followers do to the log: each change of state once, and a fault that lasts once in a while. */
export function createReport(log: Logger, now: () => number = Date.now) {
  const stalls = createSeldom(againMs, now)
  const caughtUp = new Set<Market>()
  const standing = new Set<Market>()

  return (market: Market, progress: Progress): void => {
    if (progress.kind === 'stalled') {
      const times = stalls.due(market)
      if (times !== null) log.warn({ market, times, err: textOf(progress.error) }, 'stalled')
    } else if (progress.kind === 'halted') log.error({ market, reason: progress.reason }, 'halted')
    else if (progress.kind === 'standby') {
      // A follower that lost its connection begins here again, as often as it takes.
      if (!standing.has(market)) log.info({ market }, 'standing by')
      standing.add(market)
    } else {
      const [block, { digest }] = [Number(progress.cursor.number), progress.cursor]
      standing.delete(market)
      if (progress.kind === 'writing') log.info({ market, block }, 'writing')
      else if (stalls.over(market)) log.info({ market, block }, 'going on')
      if (progress.kind === 'rolledBack')
        log.warn({ market, block, depth: Number(progress.depth) }, 'the chain went another way')
      if (progress.kind !== 'caughtUp' || caughtUp.has(market)) return
      caughtUp.add(market)
      log.info({ market, block, digest }, 'caught up')
    }
  }
}

/** What an error says; one that only gathers others says nothing itself. */
export function textOf(error: Error): string {
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}
