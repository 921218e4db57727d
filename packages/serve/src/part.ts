import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { CheckedProviders, Deployments, Head } from '@svc/chain'
import type { Registry } from 'prom-client'
import type { Fetch } from './gate.ts'
import type { Log } from './log.ts'

/**
 * What a part of a market works with. A part is the whole of an app but its process: it reads no environment, does not listen and
 * does not end the process. So a market runs as one process, or each part in its own.
 */
export interface PartContext<Env> {
  env: Env
  deployments: Deployments
  providers: CheckedProviders
  /** Returns the newest block, which the parts of a process share. */
  readHead: () => Promise<Head>
  log: Log
  /** Where its metrics go. */
  registry: Registry
  /** Aborted when it shall stop. */
  signal: AbortSignal
}

/** A part that runs. */
export interface Part {
  /** Its answer is the body of `/readyz`. */
  readiness: () => Promise<{ ready: boolean }>
  /** Resolves once the signal has aborted and its work has ended. Rejects if it cannot go on. */
  done: Promise<unknown>
}

/** A part that answers requests, until it is closed after the last one. */
export interface ServingPart extends Part {
  fetch: Fetch
  close?: () => Promise<void>
}

/** Time to finish the current step on shutdown. The chain remembers what is left undone. */
const shutdownMs = 1_500

/** Waits for work that ends after a signal, but not for a provider that does not answer. */
export async function endsSoon(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await Promise.race([work, once(signal, 'abort').then(() => wait(shutdownMs))])
}
