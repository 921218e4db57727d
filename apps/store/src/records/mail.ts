import { ServiceError } from '@svc/operations'
import { mailLimits } from '@svc/protocol/internal/talk'
import type { Database } from '@svc/serve'
import type { Sql } from 'postgres'
import { type Address, getAddress, type Hex } from 'viem'

interface NewMail {
  sender: Address
  recipient: Address
  id: Hex
  sealed: Uint8Array
  /** Whether they are the poster and the worker of a task: then the limits for strangers do not apply. */
  sharesTask: boolean
  /** The open task of the recipient for which this is an application; null if it is none. */
  appliesFor: string | null
  /** Set if the sender is not established: the open task of the recipient that it asks or applies for. */
  newcomer: Newcomer | null
}

export interface Newcomer {
  task: string
  network: string
}

interface StoredMail {
  number: number
  from: Address
  id: Hex
  postedAt: number
  sealed: Uint8Array
}

/** Where a reader stopped: the number and the id of the last item. */
interface MailCursor {
  number: number
  id: Hex
}

export interface MailRecords {
  /** Whether a wallet may write to another because that one has written to it. */
  mayAnswer: (sender: Address, recipient: Address) => Promise<boolean>
  /** Adds an item to both mailboxes, unless it is there. Throws MAIL_BLOCKED, MAIL_UNANSWERED, MAIL_TOO_LARGE or MAIL_LIMIT_REACHED. */
  post: (mail: NewMail) => Promise<{ number: number; isNew: boolean }>
  list: (
    wallet: Address,
    after: MailCursor | null,
  ) => Promise<{ items: readonly StoredMail[]; hasMore: boolean; restarted: boolean }>
  /** Lists the strangers whose messages wait, oldest first. */
  listWaiting: (wallet: Address) => Promise<Address[]>
  /** Lists the wallets that are not established whose messages for a task wait, oldest first. */
  listNewcomers: (task: string) => Promise<Address[]>
  /** Removes the newest such message of the network with most of them, if it has two more than another. Returns whether it did. */
  removeCrowding: (wallet: Address, newcomer: Newcomer) => Promise<boolean>
  /** Removes the messages of strangers who have lost their place. They still have to be answered before they write again. */
  removeWaiting: (wallet: Address, senders: readonly Address[]) => Promise<void>
  listBlocked: (wallet: Address) => Promise<Address[]>
  block: (wallet: Address, blocked: Address) => Promise<Address[]>
  unblock: (wallet: Address, blocked: Address) => Promise<Address[]>
  /** Lets a wallet write as if it had been answered. Throws MAIL_LIMIT_REACHED. */
  allow: (wallet: Address, allowed: Address) => Promise<void>
}

/** Bytes of one answer: a page of the largest items would be too much. */
const pageBytes = 4_000_000

export function createMailRecords(database: Database): MailRecords {
  const listBlocked = async (wallet: Address) => {
    const rows = await database(
      (sql) =>
        sql<{ blocked: string }[]>`select blocked from store.mail_block where wallet = ${wallet} order by blocked`,
    )
    return rows.map(({ blocked }) => getAddress(blocked))
  }
  const removeWaiting = async (wallet: Address, senders: readonly Address[]) => {
    const given = JSON.stringify(senders)
    await database(
      (sql) => sql`
        with gone as (
          update store.mail_contact set is_new = false where recipient = ${wallet} and is_new
            and sender in (select jsonb_array_elements_text(${given}::text::jsonb)) returning sender),
        places as (
          delete from store.mail_newcomer n using gone where n.recipient = ${wallet} and n.sender = gone.sender)
        delete from store.mail m using gone where m.recipient = ${wallet} and m.sender = gone.sender`,
    )
  }
  return {
    async mayAnswer(sender, recipient) {
      const rows = await database(
        (sql) => sql`select from store.mail_contact where sender = ${recipient} and recipient = ${sender}`,
      )
      return rows.length > 0
    },
    post: (mail) => database(async (sql) => sql.begin((transaction) => post(transaction, mail))),
    async list(wallet, after) {
      const isKnown = after === null || (await hasCursor(database, wallet, after))
      const from = after && isKnown ? after.number : 0
      const rows = await database(
        (sql) => sql<{ number: string; sender: string; id: Hex; posted: number; sealed: Buffer }[]>`
          select number, sender, id, extract(epoch from posted_at)::int as posted, sealed from (
            select *, sum(octet_length(sealed)) over (order by number) - octet_length(sealed) as before
            from (
              select * from store.mail where recipient = ${wallet} and number > ${from}
              order by number limit ${mailLimits.page + 1}
            ) page
          ) sized
          where before < ${pageBytes} order by number`,
      )
      const page = rows.slice(0, mailLimits.page)
      const hasMore = page.length > 0 && (await hasItemsAfter(database, wallet, Number(page.at(-1)?.number)))
      const items = page.map(({ number, sender, id, posted, sealed }) => ({
        number: Number(number),
        from: getAddress(sender),
        id,
        postedAt: posted,
        sealed,
      }))
      return { items, hasMore, restarted: !isKnown }
    },
    async listWaiting(wallet) {
      const rows = await database((sql) => selectWaiting(sql, wallet))
      return rows.map(({ sender }) => getAddress(sender))
    },
    async listNewcomers(task) {
      const rows = await database((sql) => selectNewcomers(sql, task))
      return [...new Set(rows.map(({ sender }) => getAddress(sender)))]
    },
    removeWaiting,
    async removeCrowding(wallet, { task, network }) {
      const rows = await database((sql) => selectNewcomers(sql, task))
      const byNetwork = Map.groupBy(rows, (row) => row.network)
      const [largest] = [...byNetwork.values()].toSorted((a, b) => b.length - a.length)
      const newest = largest?.at(-1)
      if (!largest || !newest || largest.length < (byNetwork.get(network)?.length ?? 0) + 2) return false
      await removeWaiting(wallet, [getAddress(newest.sender)])
      return true
    },
    listBlocked,
    async block(wallet, blocked) {
      const { count } = await database(
        (sql) => sql`
          insert into store.mail_block select ${wallet}, ${blocked}
          where (select count(*) from store.mail_block where wallet = ${wallet}) < ${mailLimits.blocks}
            or exists (select from store.mail_block where wallet = ${wallet} and blocked = ${blocked})
          on conflict (wallet, blocked) do update set blocked = excluded.blocked`,
      )
      if (count === 0) throw limitReached(`A wallet blocks at most ${mailLimits.blocks} others.`)
      return listBlocked(wallet)
    },
    async allow(wallet, allowed) {
      const { count } = await database(
        (sql) => sql`
          insert into store.mail_contact (sender, recipient, is_new) select ${wallet}, ${allowed}, false
          where (
            select count(*) from store.mail_contact where sender = ${wallet} and began_at > now() - interval '1 day'
          ) < ${mailLimits.items}
          on conflict (sender, recipient) do update set began_at = store.mail_contact.began_at`,
      )
      if (count === 0) throw limitReached(`A wallet has at most ${mailLimits.items} new contacts a day.`)
    },
    async unblock(wallet, blocked) {
      await database((sql) => sql`delete from store.mail_block where wallet = ${wallet} and blocked = ${blocked}`)
      return listBlocked(wallet)
    },
  }
}

/** Removes items and contacts after their retention. */
export async function removeOldMail(database: Database): Promise<number> {
  const { count } = await database(
    (sql) => sql`
      delete from store.mail where (recipient, number) in (
        select recipient, number from store.mail
        where posted_at < now() - make_interval(secs => ${mailLimits.retention}) limit 10000
      )`,
  )
  await database(
    (sql) => sql`
      delete from store.mail_contact where (sender, recipient) in (
        select sender, recipient from store.mail_contact c
        where began_at < now() - make_interval(secs => ${mailLimits.retention})
          and not exists (select from store.mail m where m.recipient = c.recipient and m.sender = c.sender)
        limit 10000
      )`,
  )
  await database(
    (sql) => sql`
      delete from store.mail_application where (sender, task) in (
        select sender, task from store.mail_application
        where began_at < now() - make_interval(secs => ${mailLimits.retention}) limit 10000
      )`,
  )
  await database(
    (sql) => sql`
      delete from store.mail_newcomer where (sender, task, kind) in (
        select sender, task, kind from store.mail_newcomer
        where began_at < now() - make_interval(secs => ${mailLimits.retention}) limit 10000
      )`,
  )
  return count
}

type Transaction = Parameters<Parameters<Sql['begin']>[1]>[0]

async function post(sql: Transaction, mail: NewMail): Promise<{ number: number; isNew: boolean }> {
  const { sender, recipient, id } = mail
  // In one order for everyone, so that two posts never wait for each other.
  const boxes = [...new Set([sender, recipient])].sort()
  for (const wallet of boxes) {
    await sql`insert into store.mailbox (wallet) values (${wallet}) on conflict do nothing`
    await sql`select from store.mailbox where wallet = ${wallet} for update`
  }
  const [known] = await sql<{ number: string }[]>`
    select own.number from store.mail theirs
    join store.mail own on own.recipient = ${sender} and own.sender = ${sender} and own.id = theirs.id
    where theirs.recipient = ${recipient} and theirs.sender = ${sender} and theirs.id = ${id}`
  if (known) return { number: Number(known.number), isNew: false }
  await assertMayPost(sql, mail)
  let number = 0
  for (const wallet of boxes) {
    const added = await addItem(sql, wallet, mail)
    if (wallet === sender) number = added
  }
  return { number, isNew: true }
}

/** Adds an item under the next number. Returns its number, or that of the same item. */
async function addItem(sql: Transaction, wallet: Address, { sender, id, sealed }: NewMail): Promise<number> {
  const [same] = await sql<{ number: string }[]>`
    select number from store.mail where recipient = ${wallet} and sender = ${sender} and id = ${id}`
  if (same) return Number(same.number)
  const [box] = await sql<{ last: string }[]>`
    update store.mailbox set last = last + 1 where wallet = ${wallet} returning last`
  const number = Number(box?.last)
  await sql`
    insert into store.mail (recipient, number, sender, id, sealed)
    values (${wallet}, ${number}, ${sender}, ${id}, ${Buffer.from(sealed)})`
  return number
}

async function assertMayPost(sql: Transaction, mail: NewMail): Promise<void> {
  const { sender, recipient, sealed, sharesTask, appliesFor } = mail
  const [facts] = await sql<
    {
      blocked: boolean
      known: boolean
      asked: boolean
      answered: boolean
      items: number
      bytes: number
      contacts: number
    }[]
  >`
    select
      exists (select from store.mail_block where wallet = ${recipient} and blocked = ${sender}) as blocked,
      exists (select from store.mail_contact where sender = ${sender} and recipient = ${recipient}) as known,
      exists (select from store.mail_contact where sender = ${sender} and recipient = ${recipient} and has_asked) as asked,
      exists (select from store.mail_contact where sender = ${recipient} and recipient = ${sender}) as answered,
      (select count(*)::int from store.mail where sender = ${sender} and posted_at > now() - interval '1 day'
        and (recipient <> ${sender} or ${sender === recipient})) as items,
      (select coalesce(sum(octet_length(sealed)), 0)::int from store.mail
        where sender = ${sender} and posted_at > now() - interval '1 day'
        and (recipient <> ${sender} or ${sender === recipient})) as bytes,
      (select count(*)::int from store.mail_contact
        where sender = ${sender} and is_new and began_at > now() - interval '1 day') as contacts`
  if (!facts) throw new Error('The facts of a post are missing.')
  if (facts.blocked) {
    throw new ServiceError('MAIL_BLOCKED', `${recipient} does not accept messages of ${sender}.`)
  }
  if (facts.items >= mailLimits.items || facts.bytes + sealed.length > mailLimits.dayBytes) {
    throw limitReached(`A wallet sends at most ${mailLimits.items} messages and ${mailLimits.dayBytes} bytes a day.`)
  }
  const isStranger = sender !== recipient && !sharesTask && !facts.answered
  if (isStranger) await assertFirstContact(sql, mail, facts)
  if (sender !== recipient) {
    await sql`
      insert into store.mail_contact (sender, recipient, is_new, has_asked)
      values (${sender}, ${recipient}, ${isStranger}, ${appliesFor === null})
      on conflict (sender, recipient) do update set has_asked = store.mail_contact.has_asked or excluded.has_asked`
  }
}

/** A stranger sends one short message and a few applications for each task, and waits until they are answered. */
async function assertFirstContact(
  sql: Transaction,
  { sender, recipient, sealed, appliesFor, newcomer }: NewMail,
  { known, asked, contacts }: { known: boolean; asked: boolean; contacts: number },
): Promise<void> {
  if (appliesFor !== null) await countApplication(sql, sender, appliesFor)
  else if (asked) {
    throw new ServiceError('MAIL_UNANSWERED', `${recipient} has not answered ${sender} yet.`, {
      hint: 'A first message must be answered before the next one.',
    })
  }
  if (sealed.length > mailLimits.firstContactBytes) {
    throw new ServiceError(
      'MAIL_TOO_LARGE',
      `A first message has at most ${mailLimits.firstContactBytes} bytes: about ${mailLimits.firstContactText} characters of text.`,
    )
  }
  if (newcomer) await takeNewcomerPlace(sql, sender, recipient, newcomer, appliesFor ? 'application' : 'question')
  if (known) return
  if (contacts >= mailLimits.newContacts) {
    throw limitReached(`A wallet writes to at most ${mailLimits.newContacts} new wallets a day.`)
  }
  if (newcomer) return
  const waiting = await selectWaiting(sql, recipient)
  if (waiting.length >= mailLimits.waitingStrangers) {
    throw new MailboxFullError(`${recipient} has too many messages of strangers. Known wallets can still write.`)
  }
}

/** The strangers whose messages wait in a mailbox, oldest first. One that its owner has blocked waits no more. */
const selectWaiting = (sql: Sql | Transaction, recipient: Address) =>
  sql<{ sender: string }[]>`
    select sender from store.mail_contact c where recipient = ${recipient} and is_new
      and not exists (select from store.mail_contact a where a.sender = c.recipient and a.recipient = c.sender)
      and not exists (select from store.mail_block b where b.wallet = c.recipient and b.blocked = c.sender)
      and not exists (select from store.mail_newcomer n where n.recipient = c.recipient and n.sender = c.sender)
    order by began_at, sender limit ${mailLimits.waitingStrangers}`

/** The messages of wallets that are not established that wait for an answer about a task, oldest first. */
const selectNewcomers = (sql: Sql | Transaction, task: string) =>
  sql<{ sender: string; network: string }[]>`
    select sender, network from store.mail_newcomer n where task = ${task}
      and not exists (select from store.mail_contact a where a.sender = n.recipient and a.recipient = n.sender)
      and not exists (select from store.mail_block b where b.wallet = n.recipient and b.blocked = n.sender)
    order by began_at, sender limit ${mailLimits.waitingNewcomers}`

/** A newcomer has one question and one application for a task, in places that are not those of the mailbox. */
async function takeNewcomerPlace(
  sql: Transaction,
  sender: Address,
  recipient: Address,
  { task, network }: Newcomer,
  kind: 'question' | 'application',
): Promise<void> {
  const waiting = await selectNewcomers(sql, task)
  if (waiting.length >= mailLimits.waitingNewcomers) {
    throw new MailboxFullError(`Too many newcomers wait for an answer about ${task}.`)
  }
  const { count } = await sql`
    insert into store.mail_newcomer (sender, task, kind, recipient, network)
    select ${sender}, ${task}, ${kind}, ${recipient}, ${network} on conflict do nothing`
  if (count === 0) {
    throw new ServiceError('MAIL_UNANSWERED', `${recipient} has not answered the ${kind} of ${sender} for ${task}.`, {
      hint: 'After 24 hours with a deposit, a wallet may write more.',
    })
  }
}

/** The places for strangers in a mailbox are taken. */
export class MailboxFullError extends ServiceError {
  constructor(message: string) {
    super('MAIL_LIMIT_REACHED', message)
  }
}

/** An application can be changed a few times before it is answered. */
async function countApplication(sql: Transaction, sender: Address, task: string): Promise<void> {
  const [row] = await sql<{ sent: number }[]>`
    insert into store.mail_application (sender, task) values (${sender}, ${task})
    on conflict (sender, task) do update set sent = least(store.mail_application.sent, ${mailLimits.applications}) + 1
    returning sent`
  if ((row?.sent ?? 0) <= mailLimits.applications) return
  throw new ServiceError('MAIL_UNANSWERED', `${sender} has applied ${mailLimits.applications} times for ${task}.`, {
    hint: 'The poster must answer before the next application.',
  })
}

/** Whether a mailbox still has the item of a cursor, or has removed it because of its age. */
async function hasCursor(database: Database, wallet: Address, { number, id }: MailCursor): Promise<boolean> {
  const [row] = await database(
    (sql) => sql<{ known: boolean }[]>`
      select exists (select from store.mail where recipient = ${wallet} and number = ${number} and id = ${id})
        or ${number} < (select min(number) from store.mail where recipient = ${wallet})
        or (not exists (select from store.mail where recipient = ${wallet})
          and ${number} <= coalesce((select last from store.mailbox where wallet = ${wallet}), 0)) as known`,
  )
  return row?.known === true
}

async function hasItemsAfter(database: Database, wallet: Address, number: number): Promise<boolean> {
  const rows = await database(
    (sql) => sql`select from store.mail where recipient = ${wallet} and number > ${number} limit 1`,
  )
  return rows.length > 0
}

const limitReached = (message: string) => new ServiceError('MAIL_LIMIT_REACHED', message)
