import { unavailable } from '@svc/operations'
import type { Sql } from 'postgres'

/** Takes one call from the daily budget; false when none is left. */
export type Budget = () => Promise<boolean>

/**
 * One daily counter for all replicas, incremented before the gateway is asked, because a failed call costs money too. Without
 * the database the remaining budget is unknown, so nothing is spent.
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
      throw unavailable('DATABASE_UNREACHABLE', 'The database cannot be reached now.')
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
