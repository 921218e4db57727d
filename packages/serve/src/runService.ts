import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { connectPool } from './database.ts'
import { type ListenOptions, listen } from './listen.ts'
import type { Log } from './log.ts'
import type { ServingPart } from './part.ts'
import { createProcessBase, type ProcessBase, type ProcessBaseOptions } from './processBase.ts'
import { stopWith } from './stopWith.ts'
import { version } from './version.ts'

export interface ServiceBaseOptions extends Omit<ProcessBaseOptions, 'buffered'> {
  /** Its name in the database. */
  name: string
  env: ProcessBaseOptions['env'] & { SVC_DATABASE_URL: string }
  /** Settings of its connections. */
  settings?: Readonly<Record<string, string>>
}

/** Creates the log, the providers and the database of a service. */
export function createServiceBase({ name, settings, ...options }: ServiceBaseOptions): ProcessBase & { sql: Sql } {
  const sql = connectPool(options.env.SVC_DATABASE_URL, name, settings)
  return { ...createProcessBase({ ...options, buffered: true }), sql }
}

export interface RunServiceOptions extends Omit<ListenOptions, 'maxConnections' | 'onFault' | 'fetch'> {
  part: ServingPart
  env: { SVC_DRAIN_MS: number }
  log: Log
  sql: Sql
  /** Aborted when the service is about to stop. */
  stopping: AbortController
  /** Goes to the first line of the log. */
  notes?: object
}

/** Serves requests until a signal. Then reports not ready, finishes open requests and the work, and closes the database. */
export async function runService({
  part,
  env,
  log,
  sql,
  stopping,
  notes,
  ...server
}: RunServiceOptions): Promise<void> {
  const listening = await listen({
    ...server,
    fetch: part.fetch,
    onFault: (err) => log.error({ err }, 'fault'),
  })
  log.info({ version, port: listening.port, ...notes }, 'listening')
  stopWith(log, async () => {
    stopping.abort()
    await wait(env.SVC_DRAIN_MS)
    await listening.close(10_000)
    await part.close?.()
    await part.done
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
