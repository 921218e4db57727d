import type { OutputJson, operations } from '@svc/operations'
import { formatTaskId, markets } from '@svc/protocol'
import type { Database } from '@svc/serve'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type * as z from 'zod'

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

interface Row {
  seq: string
  id: string
  kind: string
  urgency: string
  market: number
  task: string | null
  title: string
  text: string
  url: string
  deadline: string | null
  created_at: string
  acknowledged: boolean
  corrects: string | null
  is_corrected: boolean
  deliveries: { channel: string; status: string }[]
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
    select seq, id, kind, urgency, market, task, title, text, url, deadline, created_at, corrects, is_corrected,
      acknowledged_at is not null as acknowledged,
      coalesce((select jsonb_agg(jsonb_build_object('channel', s.channel, 'status', d.status) order by d.seq)
        from notify.delivery d join notify.subscription s on s.id = d.subscription
        where d.notification = n.seq), '[]') as deliveries
    from notify.notification n where wallet = ${wallet} ${range} limit ${limit + 1}`
}

function toJson({ market, task, deadline, created_at, acknowledged, is_corrected, ...row }: Row): NotificationJson {
  const name = markets[market] ?? 'standard'
  const { id, kind, urgency, title, text, url, corrects, deliveries } = row
  return {
    id,
    kind,
    urgency: urgency as NotificationJson['urgency'],
    market: name,
    taskId: task === null ? null : formatTaskId({ market: name, number: BigInt(task) }),
    title,
    text,
    url,
    deadline: deadline === null ? null : Number(deadline),
    createdAt: Number(created_at),
    acknowledged,
    corrects,
    isCorrected: is_corrected,
    deliveries: deliveries as NotificationJson['deliveries'],
  }
}
