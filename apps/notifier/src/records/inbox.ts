import { type OutputJson, type operations, urgencies } from '@svc/operations'
import type { Database } from '@svc/serve'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type * as z from 'zod'
import { type NotificationRow, notificationColumns, toContent } from './notificationRow.ts'

type Page = z.output<(typeof operations)['listNotifications']['input']>
type Answer = Omit<OutputJson<'listNotifications'>, 'wallet'>

export interface Inbox {
  list: (wallet: Address, page: Page) => Promise<Answer>
  /** Acknowledges notifications by id, or all up to a cursor. Returns how many were not acknowledged before. */
  acknowledge: (
    wallet: Address,
    what: { ids?: readonly string[] | undefined; upTo?: string | undefined },
  ) => Promise<number>
}

/** Counting stops here: a badge shows no more, and a wallet with a million rows costs no more. */
const maxUnread = 100

interface Row extends NotificationRow {
  seq: string
  acknowledged: boolean
  is_corrected: boolean
  deliveries: NotificationJson['deliveries']
}

type NotificationJson = Answer['notifications'][number]

/** The inbox of every wallet, in Postgres. */
export function createInbox(database: Database): Inbox {
  return {
    list: (wallet, page) =>
      database(async (sql) => {
        const rows = await selectPage(sql, wallet, page)
        const [totals] = await sql<{ unread: number; last: string }[]>`
          select (select count(*)::int from (select from notify.notification
              where wallet = ${wallet} and acknowledged_at is null limit ${maxUnread}) found) as unread,
            coalesce((select max(seq) from notify.notification where wallet = ${wallet}), 0) as last`
        const shown = rows.slice(0, page.limit)
        const lastShown = shown.at(-1)?.seq
        const hasMore = rows.length > page.limit
        return {
          notifications: shown.map(toJson),
          unread: totals?.unread ?? 0,
          // With more to come, polling goes on where this page ends.
          cursor: page.since === undefined ? String(totals?.last ?? 0) : (lastShown ?? page.since),
          next: hasMore && lastShown ? lastShown : null,
        }
      }),
    acknowledge: (wallet, { ids = [], upTo }) =>
      database(async (sql) => {
        const { count } = await sql`
          update notify.notification set acknowledged_at = now()
          where wallet = ${wallet} and acknowledged_at is null
            and (id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)) or seq <= ${upTo ?? '0'}::bigint)`
        return count
      }),
  }
}

function selectPage(sql: Sql, wallet: Address, { since, before, show, limit }: Page) {
  const unread = show === 'unread' ? sql`and acknowledged_at is null` : sql``
  const range =
    since !== undefined
      ? sql`and seq > ${since}::bigint ${unread} order by seq`
      : sql`and seq < ${before ?? '9223372036854775807'}::bigint ${unread} order by seq desc`
  return sql<Row[]>`
    select ${sql.unsafe(notificationColumns)}, seq, is_corrected,
      acknowledged_at is not null as acknowledged,
      coalesce((select jsonb_agg(jsonb_build_object('channel', s.channel, 'status', d.status) order by d.seq)
        from notify.delivery d join notify.subscription s on s.id = d.subscription
        where d.notification = n.seq), '[]') as deliveries
    from notify.notification n where wallet = ${wallet} ${range} limit ${limit + 1}`
}

const toJson = (row: Row): NotificationJson => ({
  ...toContent(row),
  urgency: urgencies.find((each) => each === row.urgency) ?? 'info',
  acknowledged: row.acknowledged,
  corrects: row.corrects,
  isCorrected: row.is_corrected,
  deliveries: row.deliveries,
})
