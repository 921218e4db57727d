import { setTimeout as wait } from 'node:timers/promises'
import { WrongChainError } from '@svc/chain'

/** A part of a poll that failed. The next poll tries it again. */
export interface PollFault {
  kind: 'fault'
  what: string
  error: Error
}

export interface PollLoop {
  /** Runs one part of a poll. Reports an error and returns false, so that it does not keep the other parts from running. */
  attempt: (what: string, work: () => Promise<void>) => Promise<boolean>
  /**
   * Polls until the signal aborts. A poll returns false if a part of it failed: then the pause doubles, up to four times the
   * usual one. There is no pause while `isBusy`.
   */
  run: (poll: () => Promise<boolean>, isBusy: () => boolean) => Promise<void>
}

/** Creates the loop of an app that polls the chain and acts on what it finds. */
export function createPollLoop(pollMs: number, onFault: (fault: PollFault) => void, signal: AbortSignal): PollLoop {
  return {
    async attempt(what, work) {
      try {
        await work()
        return true
      } catch (error) {
        if (!signal.aborted) onFault({ kind: 'fault', what, error: toError(error) })
        return false
      }
    },
    async run(poll, isBusy) {
      for (let faults = 0; !signal.aborted; ) {
        faults = (await poll()) ? 0 : Math.min(faults + 1, 3)
        const pauseMs = faults > 0 ? pollMs * 2 ** (faults - 1) : isBusy() ? 0 : pollMs
        await wait(pauseMs, undefined, { signal }).catch(() => {})
      }
    },
  }
}

/** Returns what was thrown as an error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** An app that has not completed a poll for longer is not ready. */
const maxAgeMs = 30_000

/** What a completed poll says about readiness. */
interface PollStatus {
  /** Whether every task was read at least once. */
  isComplete: boolean
  /** Whether everything that the app needs answered. */
  isServing?: boolean
}

/** Tracks the polls of an app, to say why it is not ready. */
export function createPollHealth(pollMs: number, now: () => number = Date.now) {
  let last: PollStatus | null = null
  let servedAt = Number.NEGATIVE_INFINITY
  let fault: string | null = null
  return {
    recordFault({ what, error }: Pick<PollFault, 'what' | 'error'>): void {
      // Messages of providers stay in the log. That a provider is refused is ours to say.
      fault = error instanceof WrongChainError ? `cannot ${what}: ${error.message}` : `cannot ${what}`
    },
    recordPoll(status: PollStatus): void {
      last = status
      if (status.isServing ?? true) [servedAt, fault] = [now(), null]
    },
    /** Returns why the app is not ready; null if it is. */
    findReason(): string | null {
      if (!last) return fault ?? 'no poll is complete yet'
      if (now() - servedAt > Math.max(maxAgeMs, 5 * pollMs)) return fault ?? 'the last poll is too old'
      return last.isComplete ? null : 'not every task was read yet'
    },
  }
}
