import { formatTaskId } from '@svc/protocol'
import { createLogThrottle, getErrorMessage, type Log } from '@svc/serve'
import type { ClerkEvent } from './clerk.ts'

/** A lasting problem is logged again at this interval. */
const repeatMs = 60_000
const waitingMs = 3_600_000

/** Creates a logger of what a clerk reports. No line contains a key, a URL or anything of the work itself. */
export function createClerkLog(
  log: Pick<Log, 'info' | 'warn'>,
  now: () => number = Date.now,
): (event: ClerkEvent) => void {
  const faults = createLogThrottle(repeatMs, now)
  const waits = createLogThrottle(waitingMs, now)
  let isComplete = false
  return (event) => {
    if (event.kind === 'granted') {
      const { taskId, expected, readers } = event
      const wallets = [...new Set(readers.map(({ reader }) => reader))]
      log.info({ task: formatTaskId(taskId), bundle: expected.hash, readers: wallets }, 'granted')
    } else if (event.kind === 'waiting') {
      const task = formatTaskId(event.taskId)
      for (const judge of event.waiting.judges) {
        if (waits.shouldLog(`${task} ${judge}`) !== null) log.info({ task, judge }, 'the judge has not signed in')
      }
      for (const { expected, outcome } of event.waiting.bundles) {
        if (waits.shouldLog(`${task} ${expected.hash}`) === null) continue
        log.info({ task, bundle: expected.hash, why: outcome }, 'cannot open a bundle')
      }
    } else if (event.kind === 'fault') {
      const times = faults.shouldLog(event.what)
      if (times !== null) log.warn({ times, err: getErrorMessage(event.error) }, `cannot ${event.what}, retrying`)
    } else if (event.status.isComplete && event.status.isServing && !isComplete) {
      isComplete = true
      log.info({ block: Number(event.status.block), disputes: event.status.disputes }, 'serving')
    }
  }
}
