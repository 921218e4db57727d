import { awayError } from '@svc/serve'
import type { Sql } from 'postgres'

/** Counts one call of the day; false when the day has none left. */
export type Budget = () => Promise<boolean>

/**
 * One number a day for all replicas, counted before the gateway is asked: a call that fails has been paid for too. Without the
 * database nobody knows what is left, so nothing is spent.
 */
export function createBudget(sql: Sql, callsPerDay: number): Budget {
  const spend = () => sql`
    insert into chat_day (day, calls) values ((now() at time zone 'utc')::date, 1)
    on conflict (day) do update set calls = chat_day.calls + 1 where chat_day.calls < ${callsPerDay}
    returning calls`

  return async () => {
    try {
      const rows = await spend().catch(async (error: { code?: string }) => {
        if (error.code !== undefinedTable) throw error
        await createTable(sql)
        return spend()
      })
      return rows.length > 0
    } catch {
      throw awayError('DATABASE_UNREACHABLE', 'The database cannot be reached now.')
    }
  }
}

const undefinedTable = '42P01'

async function createTable(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('svc_chat'))`
    await transaction`create table if not exists chat_day (day date primary key, calls integer not null)`
  })
}
