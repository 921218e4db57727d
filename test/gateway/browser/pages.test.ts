import { readFile } from 'node:fs/promises'
import { accounts } from '@svc/devnet'
import { formatDuration } from '@svc/protocol'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAxeViolations } from '../../harness/axe.ts'
import { createWatchedContext } from '../../harness/browser.ts'
import { postCountingTask, prepareClaim } from './claims.ts'
import { type BrowserFixture, openBrowserFixture } from './fixture.ts'

const paths = [
  '/',
  '/market.html',
  '/market.html?market=micro&show=any',
  '/market.html?q=nobody+wrote+this',
  '/market.html?min=a+lot',
  '/leaderboard.html',
  `/leaderboard.html?wallet=${accounts.emeka.address}&of=score`,
  '/treasury-dashboard.html',
  '/approve/req_0000000000000000000000',
]

let fixture: BrowserFixture
let approval: string

beforeAll(async () => {
  fixture = await openBrowserFixture('world')
  const { gateway, scene } = fixture
  const request = await prepareClaim(gateway.url, scene, await postCountingTask(scene), accounts.hana.address)
  approval = new URL(request.approvalUrl).pathname
})

afterAll(() => fixture?.close())

async function visit(path: string, options: Parameters<typeof createWatchedContext>[2] = {}) {
  const { context, faults } = await createWatchedContext(fixture.browser, fixture.gateway.url, options)
  const page = await context.newPage()
  await page.goto(path)
  return { context, page, faults }
}

// Colours do not depend on the width, and the layout does not depend on colours: one width per theme covers both.
test.each([
  ['light', 360],
  ['dark', 1280],
] as const)(
  'no page breaks a rule of WCAG 2.2 AA, moves while it loads, asks another host or breaches its own policy, %s at %i px',
  async (colorScheme, width) => {
    const { context, page, faults } = await visit('/', { colorScheme, viewport: { width, height: 800 } })
    for (const path of [...paths, approval]) {
      await page.goto(path)
      expect(await measureLayoutShift(page), `what is shown of ${path} moves`).toBeLessThan(0.02)
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      expect(await findAxeViolations(page), path).toEqual([])
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(overflow, `${path} is wider than ${width}`).toBeLessThanOrEqual(0)
    }
    expect(faults).toEqual([])
    await context.close()
  },
)

/** Chromium's cumulative layout shift of a page. The search for wallets is over by then. */
function measureLayoutShift(page: Page): Promise<number> {
  return page.evaluate(`new Promise((done) => {
    let sum = 0
    const add = (list) => { for (const { value } of list.getEntries()) sum += value }
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => done(sum), 500)
  })`)
}

describe('without scripts', () => {
  test('the market can be read and filtered: titles, amounts in units, times with a zone', async () => {
    const { context, page } = await visit('/market.html', { javaScriptEnabled: false })
    const first = page.locator('.task').filter({ hasText: 'Accessibility audit of a booking site' })
    const words = await first.textContent()
    expect(words).toContain('180,000 TOK')
    expect(words).toMatch(/Claims close in 1\d d/)
    expect(words).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
    await page.getByLabel('Pays at least').fill('100000')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/min=100000/)
    expect(await page.getByText('Count the swifts').count()).toBe(0)
    await page.getByRole('link', { name: 'Micro' }).click()
    expect(await page.locator('.task').filter({ hasText: 'v2:standard:' }).count()).toBe(0)
    await context.close()
  })

  test('the search box of the hub finds tasks by words in any order, and shows them as text', async () => {
    const text = 'Seagull <img src=x onerror=alert(1)> census\n\nCount "every" bird & write it down.'
    await postCountingTask(fixture.scene, text)
    const { context, page } = await visit('/', { javaScriptEnabled: false })
    await page.getByLabel('Words in title, tags or criteria').fill('census SEAGULL')
    await page.getByRole('button', { name: 'Search open tasks' }).click()
    await page.waitForURL(/market\.html\?market=standard&q=census/)
    const found = page.locator('.task')
    await expect.poll(() => found.count()).toBe(1)
    await expect.poll(() => found.locator('h2').textContent()).toBe('Seagull <img src=x onerror=alert(1)> census')
    expect(await found.locator('img[src="x"]').count()).toBe(0)
    await expect.poll(() => page.getByLabel('Words in title, tags or criteria').inputValue()).toBe('census SEAGULL')
    await context.close()
  })
})

test('filters live in the URL, and an export has exactly what they find, with no cell that a spreadsheet would run', async () => {
  await postCountingTask(fixture.scene, '=HYPERLINK("http://evil.example","click")\n\nCells that begin like a formula.')
  const { context, page, faults } = await visit('/market.html?show=any')
  await page.getByLabel('Words in title, tags or criteria').fill('hyperlink')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/q=hyperlink/)
  await expect.poll(() => page.locator('.task').count()).toBe(1)
  const csv = await exported(page, 'CSV')
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"",""click"")"`)
  expect(csv).not.toMatch(/(?:^|,)"[=+@-]/m)
  await page.goto('/market.html?show=any')
  const rows = JSON.parse(await exported(page, 'JSON')) as { id: string; totalTok: string }[]
  // The demo world has more tasks than fit on a page.
  expect(rows.length).toBeGreaterThan(await page.locator('.task').count())
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(faults).toEqual([])
  await context.close()
})

async function exported(page: Page, kind: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: kind, exact: true }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

test('every number of the leaderboard links to that many events', async () => {
  const { context, page } = await visit('/leaderboard.html')
  const links = await page
    .locator('td.num a')
    .evaluateAll((all) => all.map((each) => ({ href: each.getAttribute('href') ?? '', value: each.textContent ?? '' })))
  expect(links.length).toBeGreaterThan(30)
  const counted = /of=(completed|counterparties|won|lost|faults|resolved)/
  for (const { href, value } of links.filter((link) => counted.test(link.href))) {
    const text = await (await page.request.get(href)).text()
    const [, record = ''] = /<section id="record"(.*?)<\/section>/s.exec(text) ?? []
    expect(record.match(/<th scope="row"/g)?.length, href).toBe(Number(value))
  }
  await expect
    .poll(() => page.locator('.formula').textContent())
    .toContain('10 * min(completed, distinctCounterparties)')
  await context.close()
})

test('the treasury names paused accounts, and its table matches its bars', async () => {
  const { context, page } = await visit('/treasury-dashboard.html')
  const bars = await page.locator('.bar-row:not(.axis) > :last-child').allInnerTexts()
  const table = await page.locator('#deposits ~ table td[data-label="Deposit"]').allInnerTexts()
  expect(bars.length).toBeLessThanOrEqual(table.length)
  // The lowest are drawn; the table has all of them.
  expect(table.slice(0, bars.length).map((each) => each.replace(' USDC', ''))).toEqual(bars)
  expect(bars.map((each) => Number(each.replace(',', '')))).toEqual(
    bars.map((each) => Number(each.replace(',', ''))).toSorted((a, b) => a - b),
  )
  const below = bars.filter((each) => Number(each) < 8).length
  await expect.poll(() => page.locator('.plain .state.paused').count()).toBe(below)
  await context.close()
})

test('pages mark their data as old while the gateway is down, and refresh when it is back', async () => {
  const { context, page } = await visit('about:blank')
  await page.clock.install()
  await page.goto('/')
  await context.setOffline(true)
  await page.clock.runFor(6_000)
  await page.getByText('the gateway does not answer').waitFor()
  await expect.poll(() => page.locator('#contracts').isVisible()).toBe(true)
  await context.setOffline(false)
  await page.clock.runFor(11_000)
  await page.locator('#stale').waitFor({ state: 'hidden' })
  await context.close()
})

test("countdowns in the page have the protocol's duration format", async () => {
  const { duration } = (await import('../../../apps/gateway/pages/assets/duration.js' as string)) as {
    duration: (seconds: number) => string
  }
  for (const seconds of [0, 1, 59, 60, 61, 3_599, 3_600, 86_399, 86_400, 90_061, 1_000_000]) {
    expect(duration(seconds)).toBe(formatDuration(seconds))
  }
})

test('without a chain the pages say so, and prepared requests can still be viewed', async () => {
  await fixture.devnet.stop()
  const { context, page } = await visit('/treasury-dashboard.html')
  await page.getByRole('heading', { name: 'The chain cannot be read' }).waitFor()
  expect((await page.reload())?.status()).toBe(503)
  await page.goto(approval)
  await page.getByText('What exactly you sign').click()
  await page.getByRole('heading', { name: 'What you sign' }).waitFor()
  await page.getByText('Chain not read').waitFor()
  await context.close()
})
