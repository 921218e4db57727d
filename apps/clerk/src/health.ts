import { WrongChainError } from '@svc/chain'
import type { ClerkEvent, ClerkStatus } from './clerk.ts'

/** Whether a clerk reads the chain and reaches the store, for people and for probes. */
export interface ClerkReadiness {
  ready: boolean
  /** Why it is not ready; null if it is. */
  why: string | null
  block: number | null
  disputes: ClerkStatus['disputes'] | null
  waitingJudges: number
}

/** A clerk that has not completed a poll for longer is not ready. */
const maxAgeMs = 30_000

/** Tracks the last poll of a clerk and assesses readiness. */
export function createClerkHealth(pollMs: number, now: () => number = Date.now) {
  let last: { status: ClerkStatus; at: number } | null = null
  let servedAt = Number.NEGATIVE_INFINITY
  let fault: string | null = null

  const findReason = (): string | null => {
    if (!last) return fault ?? 'no poll is complete yet'
    if (now() - servedAt > Math.max(maxAgeMs, 5 * pollMs)) return fault ?? 'the last poll is too old'
    return last.status.isComplete ? null : 'not every task was read yet'
  }

  return {
    record(event: ClerkEvent): void {
      if (event.kind === 'fault') fault = describeFault(event)
      if (event.kind !== 'polled') return
      last = { status: event.status, at: now() }
      if (event.status.isServing) [servedAt, fault] = [now(), null]
    },
    assess(): ClerkReadiness {
      const why = findReason()
      const { block = null, disputes = null, waitingJudges = 0 } = last?.status ?? {}
      return { ready: why === null, why, block: block === null ? null : Number(block), disputes, waitingJudges }
    },
  }
}

/** Says why a provider is refused, in our own words. Other messages can be those of a provider, and stay in the log. */
const describeFault = ({ what, error }: { what: string; error: Error }) =>
  error instanceof WrongChainError ? `cannot ${what}: ${error.message}` : `cannot ${what}`
