import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { accounts, createScene, sendActivation, sendClaim, sendDelivery, sendPost } from '@svc/devnet'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { connectNotifier, ensureKeys } from '@svc/work'
import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AppProcess, startAppProcess } from '../../chaos/process/appProcess.ts'
import { launchBrowser } from '../harness/browser.ts'
import { findFreePort } from '../harness/freePorts.ts'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { type SiteStack, serveSiteBuild } from '../harness/site.ts'
import { createContactKey } from '../notifier/notifierApp.ts'
import {
  type MailServer,
  type PushService,
  type ReceivedRequest,
  type Receiver,
  startMailServer,
  startPushService,
  startReceiver,
} from '../notifier/receivers.ts'
import { createMemoryKeyStore, getNow } from '../store/devices.ts'
import { createPerson } from './person.ts'

const { bruno, emeka } = accounts
const address = 'bruno@example.org'
let world: IndexedWorld
let stack: SiteStack
let browser: Browser
let notifier: AppProcess
let mail: MailServer
let push: PushService
let hook: Receiver
let folder: string

beforeAll(async () => {
  ;[world, browser, mail, push, hook] = await Promise.all([
    startIndexedWorld(),
    launchBrowser(),
    startMailServer(),
    startPushService(),
    startReceiver(),
  ])
  const port = await findFreePort()
  const served = await serveSiteBuild(world, undefined, { notifierUrl: `http://127.0.0.1:${port}` })
  stack = { ...served, world }
  folder = await mkdtemp(join(tmpdir(), 'notifier-'))
  const deployments = join(folder, 'deployments.json')
  await saveDeployments(deployments, world.devnet.deployments)
  notifier = startAppProcess('notifier', {
    CHAIN_RPC_URL: world.devnet.rpcUrl,
    SVC_DEPLOYMENTS: deployments,
    SVC_DATABASE_URL: world.database.url,
    SVC_SITE_URL: stack.url,
    SVC_NOTIFY_DOMAINS: new URL(stack.url).host,
    SVC_NOTIFY_PORT: String(port),
    SVC_NOTIFY_KEY: createContactKey(),
    SVC_NOTIFY_SMTP_URL: mail.url,
    SVC_NOTIFY_FROM: 'market@market.example',
    SVC_NOTIFY_VAPID_KEY: randomBytes(32).toString('base64url'),
    SVC_NOTIFY_VAPID_SUBJECT: 'mailto:ops@market.example',
    SVC_NOTIFY_ALLOWED_ORIGINS: [push.origin, hook.origin].join(','),
    SVC_NOTIFY_POLL_MS: '100',
    SVC_LOG_LEVEL: 'trace',
    SVC_DRAIN_MS: '0',
  })
  await notifier.waitForLog('listening', (lines) => lines.some(({ msg }) => msg === 'listening'))
})
afterAll(async () => {
  await browser?.close()
  notifier?.kill('SIGKILL')
  await notifier?.exited
  await stack?.stop()
  await Promise.all([mail?.stop(), push?.stop(), hook?.stop()])
  await world?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a poster who has closed the site hears of a delivery by e-mail, push and webhook', async () => {
  const poster = await createPerson(browser, stack, bruno.address)
  await poster.open('/settings/notifications')
  await poster.connect()
  const main = poster.page.locator('main')
  await main.getByRole('button', { name: 'Sign in' }).click()
  await main.getByLabel('E-mail address').fill(address)
  await main.getByRole('button', { name: 'Add e-mail' }).click()
  await main.getByText('Look into your mailbox').waitFor()
  await main.getByText('Waiting for your click').waitFor()
  const question = await mail.waitFor(({ to }) => to.includes(address))
  await poster.page.goto(findLink(question.text))
  await main.getByRole('button', { name: 'Confirm this address' }).click()
  await main.getByText('Confirmed. Notifications are sent').waitFor()
  await main.getByText('Active').waitFor()
  await main.getByLabel('URL').fill(`${hook.origin}/hook`)
  await main.getByRole('button', { name: 'Add webhook' }).click()
  const secret = await main.locator('.secret').textContent()
  // Chromium without a push service of its own cannot subscribe, so the browser's part is played here.
  await (await connectWallet()).addPush(push.subscription)
  await poster.page.reload()
  await expect.poll(() => main.getByText('Active').count()).toBe(3)
  await poster.context.close()

  const scene = createScene(world.devnet.client, world.devnet.deployments, 'standard')
  const offer = { poster: bruno, amounts: [5n * 10n ** 21n], duration: 172_800 }
  const job = await sendPost(scene, { ...offer, text: 'Tune the organ\n\nAll pipes.' })
  const taskId = `v2:standard:${job.id}`
  await sendClaim(scene, job, emeka)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'the recording')

  /** Waits until a kind of message about the task has come over all three channels, with one id. */
  const hear = async (kind: RegExp) => {
    const called = await hook.waitFor((request) => {
      const { type, data } = JSON.parse(request.body.toString())
      return data.taskId === taskId && kind.test(type)
    })
    new Webhook(secret ?? '').verify(called.body, readHeaders(called))
    const { type, timestamp, data } = JSON.parse(called.body.toString())
    const pushed = await push.waitFor((request) => openPush(request).id === data.id)
    expect(openPush(pushed)).toMatchObject({ kind: type, taskId, title: data.title, url: data.url })
    const sent = await mail.waitFor(({ to, headers }) => to.includes(address) && headers.get('subject') === data.title)
    expect(sent.text).toContain(data.text)
    return { data, at: Date.parse(timestamp) / 1_000 }
  }
  const delivery = await hear(/^delivered$/)
  expect(delivery.data.deadline).toBeGreaterThan(delivery.at)

  // Not even the most verbose log has the address.
  expect(JSON.stringify(notifier.lines)).not.toContain(address)
})

const openPush = (request: ReceivedRequest) => push.open(request) as { id: string }

const findLink = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

const readHeaders = ({ headers }: ReceivedRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Signs the same wallet in on another device. */
async function connectWallet() {
  const keys = await ensureKeys({
    wallet: bruno.address,
    keyStore: createMemoryKeyStore(),
    domain: new URL(stack.url).host,
    chainId: 8453,
    now: getNow(),
    verifySignature: verifyKeySignature,
    signMessage: (message) => bruno.signMessage({ message }),
  })
  return connectNotifier({ baseUrl: stack.url, keys, now: getNow })
}
