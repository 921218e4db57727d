import { createLogThrottle, getErrorMessage, type Log } from '@svc/serve'
import { formatEther } from 'viem'
import type { KeeperEvent } from './keeper.ts'

/** A lasting problem is logged again at this interval. */
const repeatMs = 60_000

/** Creates a logger of what a keeper reports. No line contains a key or a URL. */
export function createEventLog(
  log: Pick<Log, 'debug' | 'info' | 'warn'>,
  now: () => number = Date.now,
): (event: KeeperEvent) => void {
  const throttle = createLogThrottle(repeatMs, now)
  let isComplete = false
  /** Logs a problem at once the first time, then once per interval. */
  const warn = (key: string, fields: object, message: string) => {
    const times = throttle.shouldLog(key)
    if (times !== null) log.warn({ times, ...fields }, message)
  }
  return (event) => {
    if (event.kind === 'sent') {
      const { call, hash, nonce } = event
      log.info({ task: call.key, action: call.action, hash, nonce }, 'sent')
    } else if (event.kind === 'settled') {
      const { call, outcome, hash, costWei } = event
      const fields = { task: call.key, action: call.action, hash, costEth: formatEther(costWei) }
      if (outcome === 'done') log.info(fields, 'done')
      else log.warn(fields, outcome)
    } else if (event.kind === 'replaced') {
      const { key, hash, isCancelled } = event
      log.warn({ task: key, hash }, isCancelled ? 'cancelled' : 'replaced with a higher fee')
    } else if (event.kind === 'held') warn(`held ${event.why}`, { task: event.call.key, why: event.why }, 'held back')
    else if (event.kind === 'rejected') {
      warn('rejected', { task: event.key, err: getErrorMessage(event.error) }, 'providers rejected a transaction')
    } else if (event.kind === 'fault') {
      warn(event.what, { err: getErrorMessage(event.error) }, `cannot ${event.what}, retrying`)
    } else if (event.kind === 'refused') {
      log.debug({ task: event.call.key, action: event.call.action, error: event.error }, 'refused by the simulation')
    } else if (event.kind === 'obsolete') {
      log.debug({ task: event.call.key, action: event.call.action }, 'already done')
    } else if (event.status.isComplete && !isComplete) {
      isComplete = true
      log.info({ markets: event.status.markets, balanceEth: formatEther(event.status.balanceWei) }, 'watching')
    }
  }
}
