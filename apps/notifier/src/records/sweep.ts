import type { Database, WalletRoom } from '@svc/serve'

/** How long a notification stays in the inbox: longer than the longest deadline. */
export const keptDays = 400
/** How long a saved search of a wallet that was not established is kept. */
const searchDays = 90
/** How long a statement is kept after it has expired. */
const statementDays = 180
/** The most that is removed at once, so that no statement takes long. */
const maxRows = 5_000

/** Removes what nobody needs any more: old notifications with their deliveries, expired sessions and statements. */
export async function sweepRecords(database: Database, room: WalletRoom): Promise<number> {
  await room.sweep()
  return database(async (sql) => {
    const { count } = await sql`
      delete from notify.notification where seq in (
        select seq from notify.notification where stored_at < now() - ${keptDays} * interval '1 day' order by seq limit ${maxRows})`
    await sql`delete from notify.search where not established and created_at < now() - ${searchDays} * interval '1 day'`
    await sql`delete from notify.session where expires_at < now()`
    await sql`delete from notify.used_proof where expires_at < now()`
    // A revocation counts for as long as what it revokes, at most 180 days.
    await sql`delete from notify.statement where expires_at < extract(epoch from now()) - ${statementDays} * 86400`
    return count
  })
}
