import { unavailable } from '@svc/operations'
import type { Sql } from 'postgres'
import { migrate } from '../migrate.ts'

/** Runs statements, or throws a 503 when the database is unreachable or slow. */
export type Database = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>

/** How long a caller waits. The statements may still complete later, which is harmless. */
const maxWaitMs = 5_000

/** The database with the posting tables. Creates them now, or as soon as the database is reachable. */
export function createDatabase(sql: Sql): Database {
  let ready: Promise<void> | null = null
  const prepare = () => {
    ready ??= migrate(sql).catch((error) => {
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
      throw isInvalidStatement(error) ? error : unreachable()
    } finally {
      clearTimeout(timer)
    }
  }
}

const unreachable = () => unavailable('DATABASE_UNREACHABLE', 'The database cannot be reached now.')

/** An invalid statement is our bug; every other error is temporary. A missing table (42P01) is about to be created again. */
function isInvalidStatement(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code)
  return code !== '42P01' && /^(?:22|23|42)...$/.test(code)
}
