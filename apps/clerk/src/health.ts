import { createPollHealth } from '@svc/serve'
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

/** Tracks the last poll of a clerk and assesses readiness. */
export function createClerkHealth(pollMs: number, now: () => number = Date.now) {
  const polls = createPollHealth(pollMs, now)
  let last: ClerkStatus | null = null
  return {
    record(event: ClerkEvent): void {
      if (event.kind === 'fault') polls.recordFault(event)
      if (event.kind !== 'polled') return
      last = event.status
      polls.recordPoll(last)
    },
    assess(): ClerkReadiness {
      const why = polls.findReason()
      const { block = null, disputes = null, waitingJudges = 0 } = last ?? {}
      return { ready: why === null, why, block: block === null ? null : Number(block), disputes, waitingJudges }
    },
  }
}
