import { accounts } from '@svc/devnet'
import { createDatabase, migrateSchema } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { SendResult } from '../../apps/notifier/src/channels/channel.ts'
import { createPublicRequester } from '../../apps/notifier/src/channels/publicRequest.ts'
import { createWebhookChannel, createWebhookSecret } from '../../apps/notifier/src/channels/webhook.ts'
import { createDeliver, type DeliverOptions } from '../../apps/notifier/src/deliver.ts'
import { migrateJobs } from '../../apps/notifier/src/jobs.ts'
import { scheduleDeliveries } from '../../apps/notifier/src/records/deliveries.ts'
import { createInbox } from '../../apps/notifier/src/records/inbox.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { type Receiver, startReceiver } from './receivers.ts'

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

/** Notifies the wallet of something about task 7, as the follower does. */
const notify = (id: string, urgency: 'action' | 'urgent' = 'action', corrects: string | null = null) =>
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
  for (const id of ['a', 'b', 'c']) await notify(id)
  const { sent, send } = answering({ result: 'sent' }, retry)
  const deliver = createDeliver({ sql, send })
  await deliver(lane, signal)
  expect(await listStatuses()).toEqual(['a sent', 'b pending', 'c pending'])
  await deliver(lane, signal)
  expect(await listStatuses()).toEqual(['a sent', 'b sent', 'c sent'])
  expect(sent).toEqual(['a', 'b', 'b', 'c'])
})

test('after a day of attempts a message is reported as failed, and the next one is sent', async () => {
  for (const id of ['a', 'b']) await notify(id)
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

/** How long to wait for each attempt, in seconds: 5 at first, twice as long each time, an hour at most. */
const pauses = [...Array.from({ length: 10 }, (_, each) => 5 * 2 ** each), ...Array.from({ length: 24 }, () => 3_600)]

/**
 * Sends as the job queue does, with a clock that jumps to each next attempt: instead of waiting, the first attempt is moved into the
 * past. Returns the second of each attempt.
 */
async function runQueue(send: (second: number) => DeliverOptions['send']): Promise<number[]> {
  const attempts: number[] = []
  for (let second = 0; attempts.length < 100; ) {
    attempts.push(second)
    await sql`delete from notify_jobs._private_jobs`
    await createDeliver({ sql, send: send(second) })(lane, signal)
    const [job] = await sql<{ after: number }[]>`
      select round(extract(epoch from run_at - now()))::int as after from notify_jobs._private_jobs`
    if (!job) return attempts
    second += job.after
    await sql`update notify.delivery set first_at = first_at - ${job.after} * interval '1 second'`
  }
  throw new Error('It never ends.')
}

/** A receiver of webhooks that hangs, redirects, refuses and fails in turn until it recovers. */
async function startBrokenReceiver(recoversAt: number) {
  const receiver = await startReceiver()
  onTestFinished(receiver.stop)
  const timeouts = { connectMs: 300, headersMs: 60, totalMs: 300 }
  const requester = createPublicRequester({ allowedOrigins: [receiver.origin], timeouts })
  const channel = createWebhookChannel(requester)
  const target = { url: `${receiver.origin}/hook`, secret: createWebhookSecret() }
  let turn = 0
  const send = (second: number): DeliverOptions['send'] => {
    const fault = second >= recoversAt ? null : (['hang', 302, 500, 404, 429] as const)[turn++ % 5]
    receiver.answerWith((response) => {
      if (fault !== 'hang') response.writeHead(fault ?? 204, { location: `${receiver.origin}/elsewhere` }).end()
    })
    return (_, message, aborted) => channel.send(target, message, aborted)
  }
  return { receiver, send }
}

const listPaths = ({ received }: Receiver) => [...new Set(received.map(({ path }) => path))]
const listIds = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'])
const addUp = (list: readonly number[]) =>
  list.map((_, each) => list.slice(0, each).reduce((sum, next) => sum + next, 0))

test('a receiver that fails for a day gets everything in order once it recovers', async () => {
  const day = 24 * 3_600
  const { receiver, send } = await startBrokenReceiver(day)
  for (const id of ['a', 'b', 'c']) await notify(id)
  const attempts = await runQueue(send)
  expect(attempts).toEqual(addUp(pauses).slice(0, attempts.length))
  expect(attempts.at(-1)).toBeLessThan(day + 3_600)
  expect(await listStatuses()).toEqual(['a sent', 'b sent', 'c sent'])
  // Every attempt has the same id, the others come after it, and no redirect was followed.
  expect(listIds(receiver)).toEqual([...attempts.map(() => 'a'), 'b', 'c'])
  expect(listPaths(receiver)).toEqual(['/hook'])
})

test('a receiver that never recovers is tried for more than a day, and the message is reported as failed', async () => {
  const { receiver, send } = await startBrokenReceiver(Number.POSITIVE_INFINITY)
  await notify('a')
  const attempts = await runQueue(send)
  const [first = 0, last = 0] = [attempts[0], attempts.at(-1)]
  expect(last - first).toBeGreaterThanOrEqual(26 * 3_600)
  expect(listIds(receiver)).toHaveLength(attempts.length)
  expect(await listStatuses()).toEqual(['a failed'])
  const inbox = createInbox(createDatabase(sql, notifySchema))
  const { notifications } = await inbox.list(wallet, { show: 'all', limit: 10 })
  expect(notifications[0]?.deliveries).toEqual([{ channel: 'webhook', status: 'failed' }])
})

test('a target that is gone gets nothing more, and everything pending is reported as failed', async () => {
  for (const id of ['a', 'b']) await notify(id)
  const { sent, send } = answering({ result: 'gone', reason: 'Status 410.' })
  await createDeliver({ sql, send })(lane, signal)
  await notify('c')
  expect(await listStatuses()).toEqual(['a failed', 'b failed'])
  expect(sent).toEqual(['a'])
})

test('a correction goes where the original may have arrived; what was never tried is cancelled', async () => {
  await notify('a')
  const { sent, send } = answering()
  await createDeliver({ sql, send })(lane, signal)
  await notify('b')
  await notify('not a', 'action', 'a')
  await notify('not b', 'action', 'b')
  await createDeliver({ sql, send })(lane, signal)
  expect(await listStatuses()).toEqual(['a sent', 'b cancelled', 'not a sent'])
  expect(sent).toEqual(['a', 'not a'])
})

test('a second channel gets what is urgent, unless the wallet has acknowledged something of the task', async () => {
  await notify('a')
  await notify('b', 'urgent')
  expect(await listStatuses('second')).toEqual(['b pending'])
  await sql`update notify.notification set acknowledged_at = now() where id = 'a'`
  await notify('c', 'urgent')
  expect(await listStatuses('second')).toEqual(['b pending'])
})

test('a sender that throws does not put the error, which may contain the target, into the records', async () => {
  await notify('a')
  const send = async () => {
    throw new Error('connect ECONNREFUSED ada@secret.example')
  }
  await createDeliver({ sql, send })(lane, signal)
  const [row] = await sql<{ error: string }[]>`select error from notify.delivery`
  expect(row?.error).toBe('The message could not be sent.')
})
