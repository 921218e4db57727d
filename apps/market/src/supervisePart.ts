import { setTimeout as wait } from 'node:timers/promises'
import type { Part } from '@svc/serve'

export interface SuperviseOptions<P extends Part> {
  /** Starts the part. Its signal aborts when the market stops, or when this attempt has failed. */
  start: (signal: AbortSignal) => P | Promise<P>
  signal: AbortSignal
  /** Called when the part has failed, with the time until it is started again. */
  onFailure: (error: unknown, waitMs: number) => void
  /** The first wait, which doubles with each failure in a row up to `maxWaitMs`. */
  waitMs?: number
  maxWaitMs?: number
}

export interface Supervised<P extends Part> {
  /** The part; null while it is not running. */
  current: () => P | null
  readiness: () => Promise<{ ready: boolean }>
  /** Resolves once the signal has aborted and the part has ended. */
  done: Promise<void>
}

/** Runs a part until the signal aborts. If it fails, the others go on, and it is started again, later and later. */
export function supervisePart<P extends Part & { close?: () => Promise<void> }>(
  options: SuperviseOptions<P>,
): Supervised<P> {
  const { start, signal, onFailure, waitMs: firstMs = 2_000, maxWaitMs = 60_000 } = options
  let part: P | null = null
  let why = 'it is starting'

  async function run(): Promise<void> {
    let nextMs = firstMs
    while (!signal.aborted) {
      const attempt = new AbortController()
      const began = performance.now()
      try {
        part = await start(AbortSignal.any([signal, attempt.signal]))
        await part.done
        if (signal.aborted) return
        throw new Error('It ended by itself.')
      } catch (error) {
        const failed = part
        part = null
        attempt.abort()
        if (signal.aborted) return
        // One that ran for long has not failed in a row.
        if (performance.now() - began > 10 * maxWaitMs) nextMs = firstMs
        why = `it failed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`
        onFailure(error, nextMs)
        await failed?.close?.().catch(() => {})
        await wait(nextMs, undefined, { signal }).catch(() => {})
        nextMs = Math.min(2 * nextMs, maxWaitMs)
      }
    }
  }

  return {
    current: () => part,
    readiness: async () => (part ? part.readiness() : { ready: false, why }),
    done: run(),
  }
}
