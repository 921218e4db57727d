import { awayError } from '@svc/serve'
import type { Sql } from 'postgres'
import { migrate } from '../migrate.ts'

/** Runs statements, or answers 503 when the database is away or slow. */
export type Database = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>

/** So long a caller waits; the statements may still end, and none does harm when it comes late. */
const maxWaitMs = 5_000

/** The database of the posting tables. They are made at once, or as soon as the database is there. */
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
    const timer = setTimeout(() => reject(away()), maxWaitMs)
    try {
      return await Promise.race([prepare().then(() => work(sql)), late])
    } catch (error) {
      throw isOurs(error) ? error : away()
    } finally {
      clearTimeout(timer)
    }
  }
}

const away = () => awayError('DATABASE_UNREACHABLE', 'The database cannot be reached now.')

/** A statement that cannot be right is a fault of ours; all else passes. A table that is gone is being made again. */
function isOurs(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code)
  return code !== '42P01' && /^(?:22|23|42)...$/.test(code)
}
