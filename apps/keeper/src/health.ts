import { WrongChainError } from '@svc/chain'
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

/** A keeper that has not completed a poll for longer is not ready. */
const maxAgeMs = 30_000

/** Tracks the last poll of a keeper and assesses readiness. */
export function createKeeperHealth(pollMs: number, now: () => number = Date.now) {
  let last: { status: KeeperStatus; at: number } | null = null
  let fault: string | null = null

  const findReason = (): string | null => {
    if (!last) return fault ?? 'no poll is complete yet'
    if (now() - last.at > Math.max(maxAgeMs, 5 * pollMs)) return fault ?? 'the last poll is too old'
    if (!last.status.isComplete) return 'not every task was read yet'
    return last.status.balanceWei === 0n ? 'the wallet has no ether' : null
  }

  return {
    record(event: KeeperEvent): void {
      if (event.kind === 'polled') [last, fault] = [{ status: event.status, at: now() }, null]
      if (event.kind === 'fault') fault = describeFault(event)
    },
    assess(): KeeperReadiness {
      const why = findReason()
      const { block = null, markets = {}, inFlight = 0 } = last?.status ?? {}
      return { ready: why === null, why, block: block === null ? null : Number(block), markets, inFlight }
    },
  }
}

/** Says why a provider is refused, in our own words. Other messages can be those of a provider, and stay in the log. */
const describeFault = ({ what, error }: { what: string; error: Error }) =>
  error instanceof WrongChainError ? `cannot ${what}: ${error.message}` : `cannot ${what}`
