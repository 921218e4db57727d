import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { accounts } from '@svc/devnet'
import { expect, test } from 'vitest'
import { findAxeViolations } from '../harness/axe.ts'
import { buildSite } from '../harness/buildSite.ts'
import { startForTests } from '../harness/startForTests.ts'
import { openStoreSite } from './openSite.ts'
import { createPerson } from './person.ts'
import { shots, waitUntilSettled } from './shots.ts'

const site = startForTests(openStoreSite, 'close')

test.each(shots)(
  '%s has no WCAG 2.2 AA violation in either theme and fits into 360 pixels',
  async (_, path, prepare) => {
    const { page, context, faults, open, connect } = await createPerson(
      site.browser,
      site.stack,
      accounts.emeka.address,
    )
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await open(path)
    await connect()
    await waitUntilSettled(page)
    await prepare?.(page)
    expect(await findAxeViolations(page), 'light').toEqual([])
    // The themes differ in colours only.
    await page.emulateMedia({ colorScheme: 'dark' })
    // Until the next frame, styles may still be those of the other theme.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await findAxeViolations(page, 'colors'), 'dark').toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    expect(faults).toEqual([])
    await context.close()
  },
)

test('a task can be posted and claimed with the keyboard only', async () => {
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address)
  const { page } = poster
  await poster.open('/post')
  await poster.connect()
  const type = async (name: string | RegExp, text: string) => {
    await reach(page, name)
    await page.keyboard.type(text)
  }
  const press = async (name: string | RegExp) => {
    await reach(page, name)
    await page.keyboard.press('Enter')
  }
  await type('Title', 'Peel the potatoes')
  await type('What counts as done', 'All of them.')
  await press('Continue')
  await type('What is delivered', 'Potatoes')
  await type('Pays, TOK', '100')
  await type('Days to do it', '2')
  await press('Continue')
  await page.getByLabel('Days in which it can be claimed').waitFor()
  await press('Continue')
  await press('Sign in with your wallet')
  await press(/^Sign: /)
  await page.getByRole('heading', { name: 'Your task is live' }).waitFor()

  await site.stack.service.caughtUp()
  const worker = await createPerson(site.browser, site.stack, accounts.emeka.address)
  await worker.open('/tasks')
  await worker.connect()
  await reach(worker.page, 'Peel the potatoes')
  await worker.page.keyboard.press('Enter')
  await worker.page.getByRole('heading', { level: 1, name: 'Peel the potatoes' }).waitFor()
  for (const button of [/^Claim/, /^Sign: /]) {
    await reach(worker.page, button)
    await worker.page.keyboard.press('Enter')
  }
  await worker.page.locator('.steps[data-stage="in block"], .steps[data-stage="safe"]').first().waitFor()
})

test('the first page needs at most 150,000 bytes of JavaScript, gzipped', async () => {
  const page = await readFile(join(site.stack.folder, 'dist/index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
  const sizes = await Promise.all(
    named.map(async (path) => gzipSync(await readFile(join(site.stack.folder, 'dist', path))).length),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`${named.length} files, ${total} bytes gzipped`)
  expect(named.length).toBeGreaterThan(0)
  expect(total).toBeLessThanOrEqual(150_000)
})

test('files are compressed and cached', async () => {
  const page = await readFile(join(site.stack.folder, 'dist/index.html'), 'utf8')
  const [, path = ''] = /src="(\/assets\/[^"]+)"/.exec(page) ?? []
  const packed = await fetch(site.stack.url + path)
  const plain = await fetch(site.stack.url + path, { headers: { 'accept-encoding': 'identity' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await packed.text()).toBe(await plain.text())
  const etag = packed.headers.get('etag') ?? ''
  expect((await fetch(site.stack.url + path, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('nothing inline but one style of a known hash, no third parties, and an integrity hash for every file', async () => {
  const response = await fetch(site.stack.url, { headers: { accept: 'text/html' } })
  // The page names its own public address, and no other.
  const html = (await response.text()).replaceAll('https://market.example', '')
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(response.headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${hash}'; img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  const page = html.replace(/<style>.*?<\/style>/s, '')
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|https?:\/\//)
  for (const [tag] of page.matchAll(/<(?:script|link)[^>]*\/assets\/[^>]*>/g)) {
    expect(tag).toMatch(/integrity="sha384-[\w+/=]{64}"/)
  }
})

test('builds are reproducible', async () => {
  const again = join(site.stack.folder, 'again')
  await buildSite(join(site.stack.folder, 'deployments.json'), again)
  const listFiles = async (folder: string) => {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
    const paths = names.map(({ parentPath, name }) => join(parentPath, name)).sort()
    return Promise.all(paths.map(async (path) => [path.slice(folder.length), await readFile(path, 'base64')]))
  }
  expect(await listFiles(again)).toEqual(await listFiles(join(site.stack.folder, 'dist')))
})

/** Goes by Tab until the field or button of this name has the focus. */
async function reach(page: import('playwright-core').Page, name: string | RegExp): Promise<void> {
  const wanted = page
    .getByLabel(name)
    .or(page.getByRole('button', { name }))
    .or(page.getByRole('link', { name }))
    .first()
  await wanted.waitFor().catch(async (error: Error) => {
    throw new Error(`${name} is not there: ${await page.locator('main').textContent()}`, { cause: error })
  })
  for (let steps = 0; steps < 80; steps++) {
    if (await wanted.evaluate((each) => each === each.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} cannot be reached with the keyboard.`)
}
