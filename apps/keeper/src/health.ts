import { createPollHealth } from '@svc/serve'
import type { KeeperEvent, KeeperStatus } from './keeper.ts'

/** Whether a keeper reads the chain, for people and for probes. */
export interface KeeperReadiness {
  ready: boolean
  /** Why it is not ready; null if it is. */
  why: string | null
  block: number | null
  markets: KeeperStatus['markets']
  inFlight: number
}

/** Tracks the last poll of a keeper and assesses readiness. */
export function createKeeperHealth(pollMs: number, now: () => number = Date.now) {
  const polls = createPollHealth(pollMs, now)
  let last: KeeperStatus | null = null
  return {
    record(event: KeeperEvent): void {
      if (event.kind === 'fault') polls.recordFault(event)
      if (event.kind !== 'polled') return
      last = event.status
      polls.recordPoll(last)
    },
    assess(): KeeperReadiness {
      const why = polls.findReason() ?? (last?.balanceWei === 0n ? 'the wallet has no ether' : null)
      const { block = null, markets = {}, inFlight = 0 } = last ?? {}
      return { ready: why === null, why, block: block === null ? null : Number(block), markets, inFlight }
    },
  }
}
