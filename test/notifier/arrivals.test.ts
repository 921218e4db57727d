import { randomBytes } from 'node:crypto'
import { accounts } from '@svc/devnet'
import { createDatabase, migrateSchema } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { type Address, toHex } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { followMail } from '../../apps/notifier/src/records/arrivals.ts'
import { createInbox } from '../../apps/notifier/src/records/inbox.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createMailRecords } from '../../apps/store/src/records/mail.ts'
import { storeSchema } from '../../apps/store/src/records/records.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

const { ada, bruno, emeka } = accounts
const siteUrl = 'https://market.example'
let database: TestDatabase | undefined
let sql: Sql

const closeAll = async () => {
  await sql?.end()
  await database?.drop()
}
beforeEach(async () => {
  await closeAll()
  database = await createTestDatabase()
  sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 4 })
  await migrateSchema(sql, notifySchema)
})
afterAll(closeAll)

const write = async (sender: Address, recipient: Address) => {
  const mail = {
    sender,
    recipient,
    id: toHex(randomBytes(32)),
    sealed: randomBytes(100),
    sharesTask: true,
    appliesFor: null,
    newcomer: null,
  }
  await createMailRecords(createDatabase(sql, storeSchema)).post(mail)
}
const readInbox = async (wallet: Address) => {
  const page = { since: '0', before: undefined, show: 'all', limit: 100 } as const
  const { notifications } = await createInbox(createDatabase(sql, notifySchema)).list(wallet, page)
  return notifications.map(({ kind, title, market, taskId, url }) => ({ kind, title, market, taskId, url }))
}
const shorten = (wallet: Address) => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`

test('without a store in the database there is nothing to notify of', async () => {
  expect(await followMail(sql, siteUrl)).toEqual([])
})

test('a wallet hears once an hour who wrote, and the writer hears nothing', async () => {
  await migrateSchema(sql, storeSchema)
  await write(ada.address, emeka.address)
  // What came before the notifier is past. A message is late by a minute at most, so the past begins a minute ago.
  await sql`update store.mail set posted_at = now() - interval '10 minutes'`
  expect(await followMail(sql, siteUrl)).toEqual([])
  // Not at the end of an hour, or both messages would be in different ones.
  await sql`update notify.mail_cursor set read_until = date_trunc('hour', now()) - interval '1 hour'`
  await sql`update store.mail set posted_at = date_trunc('hour', now()) - interval '2 hours'`
  await write(ada.address, emeka.address)
  await write(ada.address, emeka.address)
  await write(bruno.address, emeka.address)
  await sql`update store.mail set posted_at = date_trunc('hour', now()) - interval '5 minutes' where posted_at > now() - interval '1 minute'`
  expect(await followMail(sql, siteUrl)).toEqual(['message-received', 'message-received'])
  expect(await followMail(sql, siteUrl)).toEqual([])
  const row = { kind: 'message-received', market: null, taskId: null, url: `${siteUrl}/inbox?tab=messages` }
  expect(await readInbox(emeka.address)).toEqual(
    [ada, bruno]
      .map(({ address }) => ({ ...row, title: `${shorten(address)} wrote to you` }))
      .sort((a, b) => a.title.localeCompare(b.title)),
  )
  expect(await readInbox(ada.address)).toEqual([])
})

test('a thousand senders lead to at most fifty notifications a day, and to no endless work', async () => {
  await migrateSchema(sql, storeSchema)
  await followMail(sql, siteUrl)
  await sql`insert into store.mailbox (wallet, last) values (${emeka.address}, 1200)`
  await sql`insert into store.mail (recipient, number, sender, id, sealed)
    select ${emeka.address}, n, '0x' || lpad(to_hex(n), 40, '0'), n::text, '' from generate_series(1, 1200) n`
  await sql`insert into store.mailbox (wallet, last) values (${bruno.address}, 1)`
  await sql`insert into store.mail (recipient, number, sender, id, sealed, posted_at)
    values (${bruno.address}, 1, ${ada.address}, 'a', '', now())`
  for (let step = 0; step < 3; step++) await followMail(sql, siteUrl)
  expect(await readInbox(emeka.address)).toHaveLength(50)
  // Others are not crowded out.
  expect(await readInbox(bruno.address)).toHaveLength(1)
})

test('a notifier without the right to see arrivals goes on without', async () => {
  await migrateSchema(sql, storeSchema)
  const role = `mail_test_${randomBytes(6).toString('hex')}`
  await sql.unsafe(`create role ${role} login`)
  const url = new URL(database?.url ?? '')
  url.username = role
  const own = postgres(url.href, { fetch_types: false, onnotice: () => {}, max: 1 })
  try {
    expect(await followMail(own, siteUrl)).toEqual([])
  } finally {
    await own.end()
    await sql.unsafe(`drop role ${role}`)
  }
})
