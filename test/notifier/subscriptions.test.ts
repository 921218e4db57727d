import { randomBytes } from 'node:crypto'
import { accounts } from '@svc/devnet'
import { Webhook } from 'standardwebhooks'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getPushPublicKey } from '../../apps/notifier/src/channels/push.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { findWords } from '../store/findWords.ts'
import { createContactKey, startTestNotifier, type TestNotifier } from './notifierApp.ts'
import {
  type MailServer,
  type PushService,
  type Receiver,
  startMailServer,
  startPushService,
  startReceiver,
} from './receivers.ts'

const { ada, emeka, hana } = accounts
const vapid = { subject: 'mailto:ops@market.example', privateKey: randomBytes(32).toString('base64url') }
const siteUrl = 'https://market.example'

let database: TestDatabase
let notifier: TestNotifier
let mail: MailServer
let push: PushService
let hook: Receiver
let sentAt = Date.now()
const newcomers = new Set<Address>()

beforeAll(async () => {
  database = await createTestDatabase()
  ;[mail, push, hook] = await Promise.all([startMailServer(), startPushService(), startReceiver()])
  notifier = await startTestNotifier({
    databaseUrl: database.url,
    siteUrl,
    newcomers,
    now: () => sentAt,
    email: { smtpUrl: mail.url, from: 'market@market.example' },
    push: vapid,
    allowedOrigins: [push.origin, hook.origin],
  })
})
afterEach(() => notifier.sql`delete from notify.subscription`)
afterAll(async () => {
  await notifier?.stop()
  await Promise.all([mail?.stop(), push?.stop(), hook?.stop()])
  await database?.drop()
})

const countRows = async (table: string) =>
  (await notifier.sql<{ count: number }[]>`select count(*)::int as count from ${notifier.sql(table)}`)[0]?.count

test('an e-mail address gets nothing but one question until its owner agrees, and one click ends it', async () => {
  const wallet = await notifier.connect(ada)
  const { body: added } = await wallet.addEmail({ address: 'Ada@example.org', kinds: ['delivered'] })
  expect(added.status).toBe('unverified')
  const question = await mail.waitFor(({ to }) => to.includes('Ada@example.org'))
  expect(question.text).toContain(ada.address)
  expect((await wallet.testSubscription({ id: added.id })).body).toEqual({
    sent: false,
    problem: 'The address is not confirmed yet.',
  })
  const [, token = ''] = /verify=([\w.-]+)/.exec(question.text) ?? []

  // Another wallet's session, a changed token and an expired one.
  await expect((await notifier.connect(emeka)).removeSubscription({ id: added.id })).rejects.toMatchObject({
    code: 'SUBSCRIPTION_NOT_FOUND',
  })
  await expect(wallet.verifySubscription({ token: `${token}x` })).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  sentAt += 86_401_000
  await expect(wallet.verifySubscription({ token })).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  sentAt -= 86_401_000
  expect((await wallet.verifySubscription({ token })).body).toEqual({ wallet: ada.address })
  expect((await wallet.listSubscriptions({})).body.subscriptions).toMatchObject([
    {
      channel: 'email',
      target: 'A…@example.org',
      status: 'active',
      kinds: ['delivered'],
      isSecond: false,
      problem: null,
    },
  ])
  // The same address in other letters is the same target.
  expect((await wallet.addEmail({ address: 'ada@Example.org' })).body).toEqual({ id: added.id, status: 'active' })

  expect((await wallet.testSubscription({ id: added.id })).body).toEqual({ sent: true, problem: null })
  await expect(wallet.testSubscription({ id: added.id })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  const sent = await mail.waitFor(({ headers }) => headers.get('subject') === 'Test of your notifications')
  const oneClick = sent.headers.get('list-unsubscribe')?.slice(1, -1).replace(siteUrl, notifier.url) ?? ''
  // A scanner that opens the link changes nothing; the request of RFC 8058 does.
  const page = await fetch(oneClick)
  expect(await page.text()).toContain('<form method="post">')
  expect((await wallet.listSubscriptions({})).body.subscriptions).toHaveLength(1)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const ended = await fetch(oneClick, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
  expect(await ended.json()).toEqual({ removed: true })
  expect((await wallet.listSubscriptions({})).body.subscriptions).toEqual([])
  expect(await (await fetch(oneClick, { method: 'POST' })).json()).toEqual({ removed: false })
  const broken = await fetch(`${oneClick}x`, { method: 'POST' })
  expect([broken.status, ((await broken.json()) as { code: string }).code]).toEqual([422, 'INVALID_TOKEN'])
})

test('who costs nothing sends no e-mail, and an address with a plus is no other', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey())
  newcomers.add(stranger.address)
  await expect((await notifier.connect(stranger)).addEmail({ address: 'x@example.org' })).rejects.toMatchObject({
    code: 'DEPOSIT_REQUIRED',
  })
  const wallet = await notifier.connect(privateKeyToAccount(generatePrivateKey()))
  for (const tag of ['a', 'b', 'c']) await wallet.addEmail({ address: `plus+${tag}@example.org` })
  await expect(wallet.addEmail({ address: 'plus+d@example.org' })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  const before = mail.received.length
  const wallets = await Promise.all(
    Array.from({ length: 3 }, () => notifier.connect(privateKeyToAccount(generatePrivateKey()))),
  )
  const sent = wallets.flatMap((each, first) =>
    Array.from({ length: 8 }, (_, second) =>
      each.addEmail({ address: `victim${first}-${second}@example.org` }).catch(() => null),
    ),
  )
  await Promise.all(sent)
  expect(mail.received.length - before, 'one network').toBeLessThanOrEqual(20)
  await notifier.sql`delete from notify.verification_mail`
})

test('who says "this was not me" is never asked again, with any plus part', async () => {
  const wallet = await notifier.connect(emeka)
  await wallet.addEmail({ address: 'stranger+x@example.org' })
  const question = await mail.waitFor(({ to }) => to.includes('stranger+x@example.org'))
  const link = question.headers.get('list-unsubscribe')?.slice(1, -1) ?? ''
  expect(question.text).toContain(`This was not me: ${link}`)
  const own = link.replace(siteUrl, notifier.url)
  expect(await (await fetch(own)).text()).toContain('<form method="post">')
  expect((await wallet.listSubscriptions({})).body.subscriptions).toHaveLength(1)
  expect(await (await fetch(own, { method: 'POST' })).json()).toEqual({ removed: 1 })
  for (const address of ['Stranger@example.org', 'stranger+y@example.org']) {
    await expect((await notifier.connect(ada)).addEmail({ address })).rejects.toMatchObject({ code: 'INVALID_TARGET' })
  }
})

test("a stranger's address cannot be flooded with questions", async () => {
  const before = mail.received.length
  for (const account of [ada, emeka, hana]) {
    await (await notifier.connect(account)).addEmail({ address: 'victim@example.org' })
  }
  await expect((await notifier.connect(ada)).addEmail({ address: 'VICTIM@example.org' })).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  })
  expect(mail.received.length - before).toBe(3)
})

test('an address that the mail server refuses is not kept', async () => {
  const wallet = await notifier.connect(hana)
  mail.refuseWith(550)
  await expect(wallet.addEmail({ address: 'nobody@example.org' })).rejects.toMatchObject({ code: 'INVALID_TARGET' })
  mail.refuseWith(450)
  await expect(wallet.addEmail({ address: 'later@example.org' })).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
  mail.refuseWith(null)
  const { body } = await wallet.listSubscriptions({})
  expect(body.subscriptions.map(({ target }) => target)).not.toContain('n…@example.org')
})

test('a webhook is signed with a secret that is shown once; a browser gets encrypted messages', async () => {
  const wallet = await notifier.connect(emeka)
  expect((await wallet.getNotifier({})).body).toMatchObject({
    channels: ['webhook', 'email', 'push'],
    pushKey: getPushPublicKey(vapid.privateKey),
  })
  const { body: webhook } = await wallet.addWebhook({ url: `${hook.origin}/secret-path` })
  const { body: browser } = await wallet.addPush(push.subscription)
  expect(JSON.stringify((await wallet.listSubscriptions({})).body)).not.toMatch(/secret-path|whsec_/)
  for (const { id } of [webhook, browser]) {
    expect((await wallet.testSubscription({ id })).body).toEqual({ sent: true, problem: null })
  }
  const [called] = hook.received
  expect(called?.path).toBe('/secret-path')
  new Webhook(webhook.secret).verify(called?.body ?? '', called?.headers as Record<string, string>)
  const [pushed] = push.received
  expect(pushed && push.open(pushed)).toMatchObject({ kind: 'test', title: 'Test of your notifications' })

  // The same URL again replaces the secret.
  const again = await wallet.addWebhook({ url: `${hook.origin}/secret-path`, isSecond: true })
  expect(again.body.id).toBe(webhook.id)
  expect(again.body.secret).not.toBe(webhook.secret)
  await expect(wallet.changeSubscription({ id: webhook.id, kinds: ['payed'] })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  })
  await wallet.changeSubscription({ id: webhook.id, kinds: ['paid'] })
  expect((await wallet.listSubscriptions({})).body.subscriptions[0]).toMatchObject({ kinds: ['paid'], isSecond: false })
})

test('targets without TLS and in private networks are refused', async () => {
  // One sign-in: of several in the same second, only five count.
  const wallet = await notifier.connect(ada)
  const refused = { code: 'INVALID_TARGET' }
  for (const url of [
    'http://hooks.example/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://10.0.0.1/',
  ]) {
    await expect(wallet.addWebhook({ url }), url).rejects.toMatchObject(refused)
    await expect(wallet.addPush({ ...push.subscription, endpoint: url }), url).rejects.toMatchObject(refused)
  }
})

test('a wallet has twenty targets at most, also when they are added at once', async () => {
  const wallet = await notifier.connect(hana)
  const added = await Promise.allSettled(
    Array.from({ length: 25 }, (_, index) => wallet.addWebhook({ url: `${hook.origin}/${index}` })),
  )
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  expect((await wallet.removeSubscriptions({})).body).toEqual({ removed: 20 })
})

test('contact data is in no row, no log line and no metric, and gone when its owner asks', async () => {
  const plant = (name: string) => `planted-${name}-${randomBytes(8).toString('hex')}`
  const words: Record<string, string> = {
    address: `${plant('mail')}@example.org`,
    path: plant('path'),
    endpoint: plant('endpoint'),
    refused: plant('refused'),
    auth: randomBytes(16).toString('base64url'),
  }
  const wallet = await notifier.connect(ada)
  const { body: email } = await wallet.addEmail({ address: words.address ?? '' })
  const question = await mail.waitFor(({ to }) => to.includes(words.address ?? ''))
  const [, token = ''] = /verify=([\w.-]+)/.exec(question.text) ?? []
  await wallet.verifySubscription({ token })
  const { body: webhook } = await wallet.addWebhook({ url: `${hook.origin}/${words.path}` })
  const keys = { ...push.subscription.keys, auth: words.auth ?? '' }
  const { body: browser } = await wallet.addPush({ endpoint: `${push.origin}/${words.endpoint}`, keys })
  await expect(wallet.addWebhook({ url: `https://${words.refused}.invalid/` })).rejects.toThrow()
  words.secret = webhook.secret
  words.token = token
  // Every way to fail: refused, redirected, cut off.
  hook.answerWith((response) => response.writeHead(302, { location: '/' }).end())
  push.answerWith((response) => response.destroy())
  mail.refuseWith(550)
  for (const { id } of [email, webhook, browser]) {
    const { body } = await wallet.testSubscription({ id })
    expect(body.sent).toBe(false)
    expect(findWords(words, [{ place: 'answer', bytes: Buffer.from(body.problem ?? '') }])).toEqual([])
  }
  mail.refuseWith(null)

  const tables = await notifier.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'notify'`
  const rows = await Promise.all(
    tables.map(async ({ name }) => ({
      place: `table ${name}`,
      bytes: Buffer.from(
        JSON.stringify(await notifier.sql.unsafe(`select row_to_json(t)::text from notify.${name} t`)),
      ),
    })),
  )
  const metrics = await (await fetch(`${notifier.url}/metrics`)).text()
  const surfaces = [
    ...rows,
    { place: 'log', bytes: Buffer.from(notifier.log.join('')) },
    { place: 'metrics', bytes: Buffer.from(metrics) },
  ]
  expect(await countRows('notify.subscription')).toBeGreaterThanOrEqual(3)
  expect(notifier.log.join('')).toContain('/notify/v1/webhooks')
  expect(findWords(words, surfaces)).toEqual([])
  // The search itself works: a word that is stored in plain text is found.
  expect(findWords({ wallet: ada.address }, surfaces)).toContain('wallet as text in table subscription')

  expect((await wallet.removeSubscriptions({})).body).toEqual({ removed: 3 })
  const left = await notifier.sql`select from notify.subscription where wallet = ${ada.address}`
  expect(left).toHaveLength(0)
})

test('a rotated key still sends; without a key there is only the inbox', async () => {
  const [older, newer] = [createContactKey('old'), createContactKey('new')]
  const first = await startTestNotifier({ databaseUrl: database.url, key: older, allowedOrigins: [hook.origin] })
  const { body } = await (await first.connect(ada)).addWebhook({ url: `${hook.origin}/rotated` })
  await first.stop()
  hook.answerWith((response) => response.end())
  const second = await startTestNotifier({
    databaseUrl: database.url,
    key: `${newer},${older}`,
    allowedOrigins: [hook.origin],
  })
  const wallet = await second.connect(ada)
  expect((await wallet.testSubscription({ id: body.id })).body.sent).toBe(true)
  expect((await wallet.addWebhook({ url: `${hook.origin}/rotated` })).body.id).toBe(body.id)
  await second.stop()
  const bare = await startTestNotifier({ databaseUrl: database.url, key: null })
  const unkeyed = await bare.connect(ada)
  expect((await unkeyed.getNotifier({})).body.channels).toEqual([])
  await expect(unkeyed.addWebhook({ url: 'https://hooks.example/' })).rejects.toMatchObject({
    code: 'CHANNEL_NOT_CONFIGURED',
  })
  expect((await unkeyed.listSubscriptions({})).body.subscriptions).toMatchObject([
    { channel: 'webhook', target: 'webhook' },
  ])
  expect((await unkeyed.removeSubscriptions({})).body).toEqual({ removed: 1 })
  await bare.stop()
})
