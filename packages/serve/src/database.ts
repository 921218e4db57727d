import { readdir, readFile } from 'node:fs/promises'
import { ServiceError, unavailable } from '@svc/operations'
import postgres, { type Sql } from 'postgres'
import type { SchemaName } from './schemas.ts'

/** Runs statements, or throws a 503 when the database is unreachable or slow. */
export type Database = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>

export interface DatabaseOptions {
  /** The schema that the service owns. */
  schema: SchemaName
  /** The folder of its migrations: SQL files that are run once, by name. */
  migrations: URL
}

/**
 * Creates a connection pool that reconnects soon after the server is back and limits the run time of every statement. `name` is what
 * the server shows of its connections.
 */
export function connectPool(url: string, name: string, settings: Readonly<Record<string, string>> = {}): Sql {
  return postgres(url, {
    fetch_types: false,
    onnotice: () => {},
    max: 10,
    connect_timeout: 5,
    backoff: () => 0.25,
    connection: { application_name: name, statement_timeout: 10_000, ...settings },
  })
}

/** How long a caller waits. The statements may still complete later, which is harmless. */
const maxWaitMs = 5_000

/** Wraps a connection pool. Creates the missing tables now, or as soon as the database is reachable. */
export function createDatabase(sql: Sql, options: DatabaseOptions): Database {
  let ready: Promise<void> | null = null
  const prepare = () => {
    ready ??= migrateSchema(sql, options).catch((error) => {
      ready = null
      throw error
    })
    return ready
  }
  prepare().catch(() => {})

  return async (work) => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(unreachable()), maxWaitMs)
    try {
      return await Promise.race([prepare().then(() => work(sql)), late])
    } catch (error) {
      throw error instanceof ServiceError || isInvalidStatement(error) ? error : unreachable()
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Runs the migrations that are missing. Replicas that start together take turns. */
export async function migrateSchema(sql: Sql, { schema, migrations }: DatabaseOptions): Promise<void> {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort()
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext(${`svc_${schema}_migrations`}))`
    await transaction`create schema if not exists ${transaction(schema)}`
    await transaction`create table if not exists ${transaction(schema)}.migration (file text primary key)`
    for (const file of files) {
      const { count } = await transaction`
        insert into ${transaction(schema)}.migration values (${file}) on conflict do nothing`
      if (count === 1) await transaction.unsafe(await readFile(new URL(file, migrations), 'utf8'))
    }
  })
}

const unreachable = () => unavailable('DATABASE_UNREACHABLE', 'The database cannot be reached now.')

/** An invalid statement is our bug; every other error is temporary. A missing table (42P01) is about to be created again. */
function isInvalidStatement(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code)
  return code !== '42P01' && /^(?:22|23|42)...$/.test(code)
}
