import { walletRules } from '@svc/protocol/internal/notifications'
import type { Sql, TransactionSql } from 'postgres'
import { getAddress, keccak256, stringToBytes } from 'viem'
import { insertNotifications, type NotificationInsert } from './outbox.ts'

const { messageReceived: rule } = walletRules

/** A message is visible this long after its time at the latest: writing one takes no longer. */
const latestMs = 60_000
/** Several messages of one sender within this time are one notification. */
const groupSeconds = 3_600
/** A wallet is notified of at most this many senders a day. */
const maxPerDay = 50
/** Read at once: a step stays short. What is left is read by the next one. */
const maxRows = 1_000

/**
 * Writes a notification for messages that arrived in mailboxes, if a store keeps them in this database. They are encrypted, so it says
 * only who wrote. Returns the kinds of what was written. A repeated step writes nothing twice.
 */
export async function followMail(sql: Sql, siteUrl: string): Promise<string[]> {
  if (!(await canRead(sql))) return []
  return sql.begin(async (step) => {
    // Nobody is notified of the past: the first step starts now. Replicas take turns by the lock of the row.
    await step`insert into notify.mail_cursor (read_until) values (now()) on conflict do nothing`
    const [cursor] = await step<{ since: string }[]>`
      select (read_until - ${latestMs} * interval '1 millisecond')::text as since from notify.mail_cursor for update`
    const arrivals = await loadArrivals(step, cursor?.since ?? 'infinity')
    const news = await leaveOutKnown(step, arrivals)
    const written = await insertNotifications(
      step,
      null,
      news.map((each) => toRow(each, siteUrl)),
    )
    // After a full step the next one starts at its end, however many arrive in a minute.
    const last = arrivals.length === maxRows ? (arrivals.at(-1)?.posted ?? null) : null
    await step`
      update notify.mail_cursor set read_until = greatest(read_until,
        coalesce(${last}::timestamptz + ${latestMs} * interval '1 millisecond', now()))`
    return written
  })
}

/** Whether there is a store in this database, and its operator lets the notifier see arrivals. */
async function canRead(sql: Sql): Promise<boolean> {
  const [view] = await sql<{ readable: boolean }[]>`
    select has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'store' and c.relname = 'mail_arrival'`
  return view?.readable === true
}

interface Arrival {
  recipient: string
  sender: string
  /** The number of its hour. */
  hour: string
  posted: string
  at: number
}

/** The first message of each sender to each recipient in an hour, oldest first; of each recipient no more than it hears of. */
function loadArrivals(step: TransactionSql, since: string) {
  return step<Arrival[]>`
    select recipient, sender, hour, first::text as posted, extract(epoch from first)::int as at
    from (
      select *, row_number() over (partition by recipient order by first, sender) as place
      from (
        select recipient, sender, floor(extract(epoch from posted_at) / ${groupSeconds})::text as hour, min(posted_at) as first
        from store.mail_arrival where posted_at > ${since}::timestamptz group by 1, 2, 3
      ) arrived
    ) placed
    where place <= ${maxPerDay} order by first limit ${maxRows}`
}

/** Leaves out what was written before, and what exceeds the daily limit of a wallet. */
async function leaveOutKnown(step: TransactionSql, arrivals: readonly Arrival[]): Promise<Arrival[]> {
  const ids = JSON.stringify(arrivals.map(toId))
  const known = await step<{ id: string }[]>`
    select id from notify.notification where id in (select jsonb_array_elements_text(${ids}::text::jsonb))`
  const recipients = JSON.stringify(arrivals.map(({ recipient }) => getAddress(recipient)))
  const notified = await step<{ wallet: string; count: number }[]>`
    select wallet, count(*)::int as count from notify.notification
    where wallet in (select jsonb_array_elements_text(${recipients}::text::jsonb)) and kind = ${rule.kind}
      and stored_at > now() - interval '1 day' group by wallet`
  const isKnown = new Set(known.map(({ id }) => id))
  const counts = new Map(notified.map(({ wallet, count }) => [wallet, count]))
  return arrivals.filter((each) => {
    if (isKnown.has(toId(each))) return false
    const wallet = getAddress(each.recipient)
    const count = (counts.get(wallet) ?? 0) + 1
    counts.set(wallet, count)
    return count <= maxPerDay
  })
}

const toId = ({ recipient, sender, hour }: Arrival): string =>
  `ntf_${keccak256(stringToBytes(`${rule.kind}|${recipient}|${sender}|${hour}`)).slice(2, 42)}`

const toRow = (arrival: Arrival, siteUrl: string): NotificationInsert => ({
  id: toId(arrival),
  wallet: getAddress(arrival.recipient),
  task: null,
  kind: rule.kind,
  urgency: rule.urgency,
  title: rule.title({ sender: getAddress(arrival.sender) }),
  text: rule.text(),
  url: `${siteUrl}/inbox?tab=messages`,
  deadline: null,
  created_at: arrival.at,
  block: 0,
  corrects: null,
})
