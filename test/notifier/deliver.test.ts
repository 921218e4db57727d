import { accounts } from '@svc/devnet'
import { migrateSchema } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SendResult } from '../../apps/notifier/src/channels/channel.ts'
import { createDeliver } from '../../apps/notifier/src/deliver.ts'
import { migrateJobs } from '../../apps/notifier/src/jobs.ts'
import { scheduleDeliveries } from '../../apps/notifier/src/records/deliveries.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

const wallet = accounts.ada.address
const [lane, signal] = [{ subscription: 'first', lane: '0:7' }, new AbortController().signal]
let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 4 })
  await migrateSchema(sql, notifySchema)
  await migrateJobs(database.url)
})
beforeEach(async () => {
  await sql`truncate notify.notification, notify.subscription cascade`
  for (const [id, isSecond] of [
    ['first', false],
    ['second', true],
  ] as const) {
    await sql`insert into notify.subscription (id, wallet, channel, target, target_key, is_second, verified_at)
      values (${id}, ${wallet}, 'webhook', '', ${id}, ${isSecond}, now())`
  }
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

/** Tells the wallet something about task 7, as the follower does. */
const tell = (id: string, urgency: 'action' | 'urgent' = 'action', corrects: string | null = null) =>
  sql.begin(async (step) => {
    const [row] = await step<{ seq: string }[]>`insert into notify.notification
      (id, wallet, market, task, kind, urgency, title, text, url, deadline, created_at, data, block, corrects)
      values (${id}, ${wallet}, 0, 7, ${corrects ? 'corrected' : 'delivered'}, ${urgency}, ${id}, '', '', null, 1, '{}', 1, ${corrects})
      returning seq`
    if (corrects) await step`update notify.notification set is_corrected = true where id = ${corrects}`
    await scheduleDeliveries(step, [row?.seq ?? ''])
  })
const listStatuses = async (subscription = 'first') => {
  const rows = await sql<{ id: string; status: string }[]>`
    select n.id, d.status from notify.delivery d join notify.notification n on n.seq = d.notification
    where d.subscription = ${subscription} order by d.seq`
  return rows.map(({ id, status }) => `${id} ${status}`)
}
/** A receiver that answers with these results, one after the other; then it takes everything. */
const answering = (...results: SendResult[]) => {
  const sent: string[] = []
  const send = async (_: unknown, { id }: { id: string }): Promise<SendResult> => {
    sent.push(id)
    return results.shift() ?? { result: 'sent' }
  }
  return { sent, send }
}
const retry: SendResult = { result: 'retry', reason: 'Status 503.' }

test('the messages of a task wait for the one before them', async () => {
  for (const id of ['a', 'b', 'c']) await tell(id)
  const { sent, send } = answering({ result: 'sent' }, retry)
  const deliver = createDeliver({ sql, send })
  await deliver(lane, signal)
  expect(await listStatuses()).toEqual(['a sent', 'b pending', 'c pending'])
  await deliver(lane, signal)
  expect(await listStatuses()).toEqual(['a sent', 'b sent', 'c sent'])
  expect(sent).toEqual(['a', 'b', 'b', 'c'])
})

test('after a day of attempts a message is reported as failed, and the next one is sent', async () => {
  for (const id of ['a', 'b']) await tell(id)
  const { send } = answering(retry, retry, { result: 'sent' })
  const deliver = createDeliver({ sql, send })
  await deliver(lane, signal)
  await sql`update notify.delivery set first_at = now() - interval '25 hours' where attempts > 0`
  expect(await listStatuses()).toEqual(['a pending', 'b pending'])
  await sql`update notify.delivery set first_at = now() - interval '27 hours' where attempts > 0`
  await deliver(lane, signal)
  expect(await listStatuses()).toEqual(['a failed', 'b sent'])
  const [subscription] = await sql<{ last_error: string }[]>`
    select last_error from notify.subscription where id = 'first'`
  expect(subscription?.last_error).toBe('Status 503.')
})

test('a target that is gone gets nothing more, and everything pending is reported as failed', async () => {
  for (const id of ['a', 'b']) await tell(id)
  const { sent, send } = answering({ result: 'gone', reason: 'Status 410.' })
  await createDeliver({ sql, send })(lane, signal)
  await tell('c')
  expect(await listStatuses()).toEqual(['a failed', 'b failed'])
  expect(sent).toEqual(['a'])
})

test('a correction goes where the original may have arrived; what was never tried is cancelled', async () => {
  await tell('a')
  const { sent, send } = answering()
  await createDeliver({ sql, send })(lane, signal)
  await tell('b')
  await tell('not a', 'action', 'a')
  await tell('not b', 'action', 'b')
  await createDeliver({ sql, send })(lane, signal)
  expect(await listStatuses()).toEqual(['a sent', 'b cancelled', 'not a sent'])
  expect(sent).toEqual(['a', 'not a'])
})

test('a second channel gets what is urgent, unless the wallet has acknowledged something of the task', async () => {
  await tell('a')
  await tell('b', 'urgent')
  expect(await listStatuses('second')).toEqual(['b pending'])
  await sql`update notify.notification set acknowledged_at = now() where id = 'a'`
  await tell('c', 'urgent')
  expect(await listStatuses('second')).toEqual(['b pending'])
})

test('a sender that throws does not put the error, which may contain the target, into the records', async () => {
  await tell('a')
  const send = async () => {
    throw new Error('connect ECONNREFUSED ada@secret.example')
  }
  await createDeliver({ sql, send })(lane, signal)
  const [row] = await sql<{ error: string }[]>`select error from notify.delivery`
  expect(row?.error).toBe('The message could not be sent.')
})
