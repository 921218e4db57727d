import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts, findTaskNumber } from '@svc/devnet'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../harness/browser.ts'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { type SiteStack, serveSiteBuild } from '../harness/site.ts'
import type { TestStore } from '../harness/storeApp.ts'
import { startTestNotifier, type TestNotifier } from '../notifier/notifierApp.ts'
import { startWorldStore } from './openSite.ts'
import { createPerson } from './person.ts'
import { findLooker, waitUntilSettled } from './shots.ts'

let world: IndexedWorld
let notifier: TestNotifier
let store: TestStore
let folder: string
let stack: SiteStack
let browser: Browser

beforeAll(async () => {
  // The site's port is known only once it listens.
  const domains: string[] = []
  ;[world, browser] = await Promise.all([startIndexedWorld(), launchBrowser()])
  notifier = await startTestNotifier({ databaseUrl: world.database.url, domains })
  folder = await mkdtemp(join(tmpdir(), 'profile-store-'))
  store = await startWorldStore(world, folder, domains)
  const { address } = accounts.store
  const served = await serveSiteBuild(world, undefined, {
    notifierUrl: notifier.url,
    store: { url: store.url, address },
  })
  domains.push(new URL(served.url).host)
  stack = { ...served, world }
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
  await notifier?.stop()
  await store?.stop()
  await world?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

test('a wallet signs its profile; others read it as plain text beside the record, and find it', async () => {
  const { address } = accounts.emeka
  const { page, open, connect, faults, context } = await createPerson(browser, stack, address)
  await open(`/u/${address}`)
  await connect()
  await waitUntilSettled(page)
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await page.getByLabel('Name').fill('<b>Emeka</b>')
  await page.getByLabel('About').fill('I draw maps.\n<img src=x onerror=alert(1)>')
  await page.getByLabel('Skills').fill('Maps, lang:pt')
  await page.getByLabel('Links').fill('My work https://emeka.example/work')
  await page.getByRole('button', { name: 'Add an offer' }).click()
  await page.getByLabel('Offer', { exact: true }).fill('A harbour map')
  await page.getByLabel('Price in TOK').fill('250')
  await page.getByRole('button', { name: 'Sign and publish' }).click()
  await page.getByRole('heading', { level: 1, name: '<b>Emeka</b>' }).waitFor()
  await page.getByText('Self-declared', { exact: true }).waitFor()
  await expect.poll(() => page.locator('.self-declared').textContent()).toContain('<img src=x onerror=alert(1)>')
  expect(await page.locator('.self-declared img').count()).toBe(0)
  await expect
    .poll(() => page.locator('.self-declared').getByRole('link', { name: 'My work' }).getAttribute('rel'))
    .toContain('noopener')
  await page.getByText('250 TOK').first().waitFor()

  await open('/agents?skill=maps')
  await page.getByRole('heading', { name: '<b>Emeka</b>' }).waitFor()
  await page.getByLabel('Words').fill('submarines')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText('No profile matches.').waitFor()

  await open(`/u/${address}?edit=1`)
  await page.getByRole('button', { name: 'Remove profile' }).click()
  await page.getByText('You have no profile yet.').waitFor()
  expect(faults).toEqual([])
  await context.close()
})

/** One red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

test('a worker is asked once for a name, gives a picture with it, and takes the picture away later', async () => {
  const path = `/tasks/v2:standard:${findTaskNumber('standard', 'working')}`
  const worker = await findLooker(stack.url, path, 'worker')
  const { page, open, connect, faults, context } = await createPerson(browser, stack, worker)
  await open(path)
  await connect()
  const question = page.getByRole('form', { name: 'What should people call you?' })
  const file = question.getByLabel('Picture')
  await question.getByLabel('Name').fill('Wanda Work')
  await file.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  await question.getByText('This file is not a picture that can be shown.').waitFor()
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
  await question.getByRole('button', { name: 'Remove the picture' }).waitFor()
  await question.getByRole('button', { name: 'Sign and publish' }).click()
  await question.waitFor({ state: 'detached' })
  await open(path)
  await page.getByRole('tabpanel').waitFor()
  expect(await question.count()).toBe(0)

  await open(`/u/${worker}?edit=1`)
  await page.getByRole('heading', { level: 1, name: 'Wanda Work' }).waitFor()
  const shown = page.locator('.profile-head img')
  // It was drawn again, as small as pictures are.
  await expect.poll(() => shown.evaluate((image) => image.getAttribute('src'))).toMatch(/\/pictures\/0x/)
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await page.getByRole('button', { name: 'Sign and publish' }).click()
  await shown.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await context.close()
})
