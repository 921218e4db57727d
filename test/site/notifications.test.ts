import {
  accounts,
  advanceTimeTo,
  createScene,
  publicKeys,
  sendActivation,
  sendClaim,
  sendDelivery,
  sendPost,
} from '@svc/devnet'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { connectNotifier, ensureKeys } from '@svc/work'
import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../harness/browser.ts'
import { findFreePort } from '../harness/freePorts.ts'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { runTool } from '../harness/runTool.ts'
import { type SiteStack, serveSiteBuild } from '../harness/site.ts'
import { type Receivers, startNotifierProcess, startReceivers } from '../notifier/notifierProcess.ts'
import type { ReceivedRequest } from '../notifier/receivers.ts'
import { createMemoryKeyStore, getNow } from '../store/devices.ts'
import { createPerson } from './person.ts'

const { bruno, emeka } = accounts
const address = 'bruno@example.org'
let world: IndexedWorld
let stack: SiteStack
let browser: Browser
let notifier: Awaited<ReturnType<typeof startNotifierProcess>>
let receivers: Receivers

beforeAll(async () => {
  ;[world, browser, receivers] = await Promise.all([startIndexedWorld(), launchBrowser(), startReceivers()])
  const port = await findFreePort()
  const served = await serveSiteBuild(world, undefined, { notifierUrl: `http://127.0.0.1:${port}` })
  stack = { ...served, world }
  notifier = await startNotifierProcess(world, { port, siteUrl: stack.url, receivers })
})
afterAll(async () => {
  await browser?.close()
  await notifier?.stop()
  await stack?.stop()
  await receivers?.stop()
  await world?.stop()
})

test('a poster who has closed the site hears of a delivery and of the end of its review, and approves from the e-mail', async () => {
  const { mail, push, hook } = receivers
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
  // No e-mail about claims.
  const mailbox = main.locator('.target').filter({ hasText: 'b…@example.org' })
  await mailbox.getByText('All kinds').click()
  await mailbox.getByLabel('Your task was claimed', { exact: true }).click()
  await mailbox.getByText(/^\d+ of \d+ kinds$/).waitFor()
  await main.getByLabel('Name', { exact: true }).fill('Organs')
  await main.getByLabel('Words', { exact: true }).fill('organ')
  await main.getByRole('button', { name: 'Save search' }).click()
  await expect
    .poll(() => main.getByRole('link', { name: 'Organs' }).getAttribute('href'))
    .toBe('/tasks?market=standard&q=organ')
  await poster.open('/tasks?market=standard&q=bells&tags=music&pays=5-&funded=true&closes=3')
  await main.getByText('Save this search').click()
  await expect.poll(() => main.getByLabel('Name', { exact: true }).inputValue()).toBe('bells #music')
  await main.getByRole('button', { name: 'Save search' }).click()
  await main.getByText('Saved.', { exact: true }).waitFor()
  await main.getByRole('link', { name: 'Your saved searches' }).click()
  const saved = main.getByRole('link', { name: 'bells #music' })
  // The price of the demo feed: 0.0025 USD.
  await expect
    .poll(() => saved.getAttribute('href'))
    .toBe('/tasks?market=standard&q=bells&tags=music&minPayTokWei=2000000000000000000000&funded=true')
  await saved.click()
  const pay = main.locator('select').filter({ hasText: 'Any pay' })
  await expect.poll(() => pay.locator('option:checked').textContent()).toBe('Pays 2,000 TOK or more')
  await poster.open('/settings/notifications')
  await main.getByRole('button', { name: 'Create an address' }).click()
  await expect.poll(() => main.locator('.calendar').textContent()).toContain(`${stack.url}/notify/v1/calendar/`)
  await poster.context.close()

  const scene = createScene(world.devnet.client, world.devnet.deployments, 'standard')
  const offer = { poster: bruno, amounts: [5n * 10n ** 21n], duration: 172_800 }
  const job = await sendPost(scene, { ...offer, text: 'Tune the organ\n\nAll pipes.' })
  const taskId = `v2:standard:${job.id}`
  await sendClaim(scene, job, emeka)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'the recording')

  const openPush = (request: ReceivedRequest) => push.open(request) as { id: string }
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
    return { data, at: Date.parse(timestamp) / 1_000, link: findLink(sent.text) }
  }
  const delivery = await hear(/^delivered$/)
  expect(mail.received.map(({ headers }) => headers.get('subject'))).not.toContain('"Tune the organ" was claimed')
  expect(delivery.data.title).toBe('Work was delivered: "Tune the organ", milestone 1')
  expect(delivery.data.deadline).toBeGreaterThan(delivery.at)

  // Nobody answers until a quarter of the review is left.
  const { deadline } = delivery.data
  await advanceTimeTo(world.devnet.client, deadline - Math.floor((deadline - delivery.at) / 5))
  const reminder = await hear(/^review-quarter$/)
  expect(reminder.data.deadline).toBe(deadline)

  // On another device, from the link in the e-mail.
  const back = await createPerson(browser, stack, bruno.address)
  await back.open('/inbox?tab=news')
  await back.connect()
  await back.page.getByRole('tabpanel').getByRole('button', { name: 'Sign in' }).click()
  const listed = back.page.locator('.notifications li')
  await listed.filter({ hasText: delivery.data.title }).waitFor()
  await back.page.goto(reminder.link)
  await back.choose(/^Approve and pay/)
  await back.sign()
  expect((await world.direct.getTask('standard', job.id)).detail?.task.state).toBe('COMPLETED')

  // Whoever opens the page of the task has read everything about it.
  const countUnread = async () => {
    const read = back.page.waitForResponse(/\/notify\/v1\/inbox\?/)
    await back.page.goto(reminder.link)
    await read
    await back.open('/inbox?tab=news')
    await listed.filter({ hasText: reminder.data.title }).waitFor()
    return listed.and(back.page.locator('.unread')).filter({ hasText: 'Tune the organ' }).count()
  }
  await expect.poll(countUnread).toBe(0)

  // A program sees the same list.
  const env = {
    PRIVATE_KEY: publicKeys.bruno,
    SVC_API_URL: stack.url,
    CHAIN_RPC_URL: world.devnet.rpcUrl,
    HOME: notifier.folder,
  }
  const inbox = await runTool('svc-work', ['inbox', '--json'], env)
  expect(inbox, inbox.errors).toMatchObject({ code: 0 })
  const { notifications } = JSON.parse(inbox.output) as { notifications: { id: string; acknowledged: boolean }[] }
  for (const { data } of [delivery, reminder]) {
    expect(notifications.find(({ id }) => id === data.id)).toMatchObject({ title: data.title, acknowledged: true })
  }

  await back.open('/settings/notifications')
  await back.page.locator('main').getByRole('button', { name: 'Delete all contact data' }).click()
  await back.page.locator('main').getByText('Only to the inbox of this site.').waitFor()
  const left = await world.sql`
    select id from notify.subscription union all select lane from notify.delivery union all select id from notify.search
    union all select wallet from notify.calendar`
  expect(left).toHaveLength(0)

  // Not even the most verbose log has the address.
  expect(JSON.stringify(notifier.lines)).not.toContain(address)
  expect(back.faults).toEqual([])
})

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
