import { setTimeout as wait } from 'node:timers/promises'
import { type CheckedProviders, createCheckedProviders, type Deployments, type ProviderObserver } from '@svc/chain'
import { type Level, pino } from 'pino'
import type { Sql } from 'postgres'
import { describeDefaultRpc } from './config.ts'
import { connectPool } from './database.ts'
import { type ListenOptions, listen } from './listen.ts'
import { createLog, type Log } from './log.ts'
import { stopWith } from './stopWith.ts'
import { version } from './version.ts'

export interface ServiceBaseOptions {
  /** Its name in the database. */
  name: string
  env: { CHAIN_RPC_URL: readonly string[]; SVC_DATABASE_URL: string; SVC_LOG_LEVEL: Level | 'silent' }
  deployments: Deployments
  /** Texts that must not appear in any line of the log. */
  secrets: readonly string[]
  observer: ProviderObserver
}

/** What a service stands on. Nothing is asked yet. */
export interface ServiceBase {
  log: Log
  /** Writes what is left of the log at once, before the process ends. */
  flushLog: () => void
  providers: CheckedProviders
  sql: Sql
}

/** Creates the log, the providers and the database of a service. */
export function createServiceBase({ name, env, deployments, secrets, observer }: ServiceBaseOptions): ServiceBase {
  const lines = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 })
  const log = createLog({ level: env.SVC_LOG_LEVEL, secrets, to: lines })
  const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
  if (rpcNotice) log.warn({}, rpcNotice)
  const providers = createCheckedProviders({
    urls: env.CHAIN_RPC_URL,
    deployments,
    observer,
    onFailover: (provider, { message }) =>
      log.debug({ provider, err: message }, 'provider failed, trying the next one'),
    onRefused: ({ message }) => log.error({}, message),
  })
  return { log, flushLog: () => lines.flushSync(), providers, sql: connectPool(env.SVC_DATABASE_URL, name) }
}

export interface RunServiceOptions extends Omit<ListenOptions, 'maxConnections' | 'onFault'> {
  env: { SVC_MAX_CONNECTIONS: number; SVC_DRAIN_MS: number }
  log: Log
  sql: Sql
  /** Aborted when the service is about to stop. */
  stopping: AbortController
  /** Goes to the first line of the log. */
  notes?: object
  /** Begins the work beside the requests, which lasts until `stopping` aborts. */
  work: () => Promise<unknown>
}

/** Serves requests until a signal. Then reports not ready, finishes open requests and the work, and closes the database. */
export async function runService({
  env,
  log,
  sql,
  stopping,
  notes,
  work,
  ...server
}: RunServiceOptions): Promise<void> {
  const listening = await listen({
    ...server,
    maxConnections: env.SVC_MAX_CONNECTIONS,
    onFault: (err) => log.error({ err }, 'fault'),
  })
  log.info({ version, port: listening.port, ...notes }, 'listening')
  const working = work()
  stopWith(log, async () => {
    stopping.abort()
    await wait(env.SVC_DRAIN_MS)
    await listening.close(10_000)
    await working
    await sql.end({ timeout: 5 })
    log.info({}, 'stopped')
  })
}

/** Repeats some work until the signal aborts. The work handles its own errors. */
export async function repeat(everyMs: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await wait(everyMs, undefined, { signal }).catch(() => {})
  }
}
