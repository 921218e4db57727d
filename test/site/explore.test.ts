import { formatAmount, type Market } from '@svc/protocol'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findAxeViolations } from '../harness/axe.ts'
import { createWatchedContext } from '../harness/browser.ts'
import { startForTests } from '../harness/startForTests.ts'
import { openSite } from './openSite.ts'

const site = startForTests(openSite, 'close')

/** Somebody without a wallet. */
async function createStranger() {
  const { context, faults } = await createWatchedContext(site.browser, site.stack.url)
  return { context, faults, page: await context.newPage() }
}

interface ListedTask {
  id: string
  totalAmountTokWei: string
  fundedTokWei: string
}

async function listOpen(market: Market): Promise<readonly ListedTask[]> {
  const response = await fetch(`${site.stack.url}/api/market/open?market=${market}`)
  return ((await response.json()) as { tasks: readonly ListedTask[] }).tasks
}

/** The ids that the API finds, in order. */
async function search(query: string): Promise<readonly string[]> {
  const response = await fetch(`${site.stack.url}/api/market/search?${query}`)
  return ((await response.json()) as { tasks: readonly ListedTask[] }).tasks.map(({ id }) => id)
}

/** The ids of the tasks that the page lists, in order. */
const listShown = (page: Page): Promise<string[]> =>
  page
    .locator('.task-title a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.replace('/tasks/', '') ?? ''))

/** The order in which the page shows a stranger tasks without a filter: the two best paid that are locked first. */
function placeFirst(tasks: readonly ListedTask[]): string[] {
  const best = tasks
    .filter(({ fundedTokWei, totalAmountTokWei }) => fundedTokWei === totalAmountTokWei)
    .toSorted((a, b) => Number(BigInt(b.totalAmountTokWei) - BigInt(a.totalAmountTokWei)))
    .slice(0, 2)
  return [...best, ...tasks.filter((each) => !best.includes(each))].map(({ id }) => id)
}

test('a stranger sees what this is, what it costs, and dollars before TOK', async () => {
  const { page, context, faults } = await createStranger()
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: 'Post work. Pay when it’s right.' }).waitFor()
  const main = page.getByRole('main')
  await main.getByText('The pay is locked before anyone starts').waitFor()
  await main.getByText('Posting or claiming a task costs $2.50.').waitFor()
  const numbers = main.getByRole('region', { name: 'What happened here lately' })
  await numbers.getByText(/^paid for work, in \d+ payments over the last/).waitFor()
  const source = await numbers.getByRole('link', { name: /^\$/ }).getAttribute('href')
  expect(source).toBe('/api/market/events?market=standard&event=PaymentRecorded')
  await page.getByRole('link', { name: 'Find work' }).first().click()
  const open = await listOpen('standard')
  await page
    .getByRole('heading', { level: 1, name: new RegExp(`^${open.length} tasks, \\$[\\d,]+ to earn$`) })
    .waitFor()
  const pay = open.map(({ totalAmountTokWei }) => BigInt(totalAmountTokWei)).reduce((a, b) => (a > b ? a : b))
  const card = page.locator('.task-card').first()
  await card.getByText(formatAmount(pay, 'tok'), { exact: true }).waitFor()
  // The price of the demo feed: 0.0025 USD.
  await card.getByText(`$${(Number(pay / 10n ** 18n) * 0.0025).toLocaleString('en')}`).waitFor()
  expect(faults).toEqual([])
  await context.close()
})

test('the API is asked each time: what the browser has stored may be from before an event', async () => {
  const { page, context } = await createStranger()
  const asked = page.waitForRequest(/\/api\/market\/search/)
  await page.goto('/tasks')
  expect((await (await asked).allHeaders())['cache-control']).toBe('max-age=0')
  await context.close()
})

test('filters and order are in the URL, and Back and a reload restore them', async () => {
  const { page, context, faults } = await createStranger()
  const open = await listOpen('standard')
  const funded = open.filter(({ fundedTokWei, totalAmountTokWei }) => fundedTokWei === totalAmountTokWei)
  expect(funded.length).toBeLessThan(open.length)
  const all = placeFirst(open)
  const onlyFunded = funded.map(({ id }) => id)
  const bestPaid = funded
    .toSorted((a, b) => Number(BigInt(b.totalAmountTokWei) - BigInt(a.totalAmountTokWei)))
    .map(({ id }) => id)

  await page.goto('/tasks')
  await expect.poll(() => listShown(page)).toEqual(all)
  const chip = page.getByRole('button', { name: 'Money locked' })
  await chip.click()
  await expect.poll(() => listShown(page)).toEqual(onlyFunded)
  await page.getByLabel('Order').selectOption('Best paid')
  await expect.poll(() => listShown(page)).toEqual(bestPaid)
  expect(new URL(page.url()).search).toBe('?funded=true&sort=pay')

  await page.reload()
  await expect.poll(() => listShown(page)).toEqual(bestPaid)
  await page.goBack()
  await expect.poll(() => listShown(page)).toEqual(onlyFunded)
  await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true')
  await page.goBack()
  await expect.poll(() => listShown(page)).toEqual(all)
  await page.goForward()
  await expect.poll(() => listShown(page)).toEqual(onlyFunded)

  await page.getByRole('textbox', { name: 'Search tasks' }).fill('no such words anywhere')
  await page.getByText('No task fits this search.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect.poll(() => listShown(page)).toEqual(all)
  expect(faults).toEqual([])
  await context.close()
})

test('words are searched on the server while they are typed, with the focus where it was', async () => {
  const { page, context, faults } = await createStranger()
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/market/search') asked.push(searchParams.get('q') ?? '')
  })
  await page.goto('/tasks')
  await page.locator('.task-title').first().waitFor()
  // A search that is still under way is cancelled by the next one.
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().includes('q=translat'))
  await page.route(/market\/search\?.*q=translat(&|$)/, () => {})
  const field = page.getByRole('textbox', { name: 'Search tasks' })
  await field.pressSequentially('translat')
  await expect.poll(() => asked).toContain('translat')
  await field.pressSequentially('ion ')
  await cancelled
  const wanted = await search('market=standard&q=translation')
  expect(wanted.length).toBeGreaterThan(0)
  await expect.poll(() => listShown(page)).toEqual(wanted)
  await page
    .getByRole('status')
    .filter({ hasText: `${wanted.length} task` })
    .waitFor()
  expect(await field.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true)
  await expect.poll(() => field.inputValue()).toBe('translation ')
  expect(new URL(page.url()).search).toBe('?q=translation')
  await expect.poll(() => page.getByLabel('Order').inputValue()).toBe('relevance')

  await page.goBack()
  await expect.poll(() => field.inputValue()).toBe('')
  expect(faults.filter((fault) => !fault.includes('q=translat'))).toEqual([])
  await context.close()
})

test('the beginning of a word finds tasks, if no task has it as a word', async () => {
  const { page, context, faults } = await createStranger()
  expect(await search('market=standard&q=trans')).toEqual([])
  const wanted = await search('market=standard&q=trans&prefix=true')
  expect(wanted.length).toBeGreaterThan(0)
  await page.goto('/tasks?q=trans')
  await expect.poll(() => listShown(page)).toEqual(wanted)
  expect(faults).toEqual([])
  await context.close()
})

test('misspelt words are answered with similar ones that find something', async () => {
  const { page, context, faults } = await createStranger()
  const response = await fetch(`${site.stack.url}/api/market/search?market=standard&q=translatoin&prefix=true`)
  const { tasks, suggestion = '' } = (await response.json()) as { tasks: readonly ListedTask[]; suggestion?: string }
  expect(tasks).toEqual([])
  expect(suggestion).toMatch(/^translat/)
  await page.goto('/tasks?q=translatoin&sort=newest')
  await page.getByText('Did you mean').waitFor()
  await page.getByRole('link', { name: suggestion, exact: true }).click()
  await expect.poll(() => listShown(page)).toEqual(await search(`market=standard&q=${suggestion}&sort=newest`))
  expect(new URL(page.url()).search).toBe(`?q=${suggestion}&sort=newest`)
  expect(faults).toEqual([])
  await context.close()
})

test('a tag of a row searches, and more results are loaded below', async () => {
  const { page, context, faults } = await createStranger()
  await page.route(/market\/search\?/, (route) =>
    route.continue({ url: route.request().url().replace('limit=50', 'limit=2') }),
  )
  const all = await search('market=standard')
  await page.goto('/tasks')
  await expect.poll(() => listShown(page)).toEqual(all.slice(0, 2))
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.poll(async () => (await listShown(page)).toSorted()).toEqual(all.slice(0, 4).toSorted())

  await page.goto('/tasks?q=cork')
  const tag = page.locator('.tag-link').first()
  const name = (await tag.textContent())?.replace('#', '') ?? ''
  await tag.click()
  await expect.poll(() => new URL(page.url()).searchParams.get('tags')).toBe(name)
  const tagged = await search(`market=standard&tags=${name}`)
  await expect.poll(() => listShown(page)).toEqual(tagged.slice(0, 2))
  await page.getByRole('button', { name: `Remove the tag ${name}` }).click()
  await expect.poll(() => listShown(page)).toEqual(all.slice(0, 2))
  expect(faults).toEqual([])
  await context.close()
})

test('without the index, the newest open tasks are shown, and the page says so', async () => {
  const { page, context } = await createStranger()
  const body = { error: 'A search needs the index.', code: 'INDEX_REQUIRED' }
  await page.route('**/api/market/search*', (route) => route.fulfill({ status: 503, json: body }))
  await page.goto('/tasks?q=translation')
  await page.getByText('Search is not available right now.').waitFor()
  await expect.poll(() => listShown(page)).toEqual((await listOpen('standard')).map(({ id }) => id))
  await context.close()
})

test('the tasks of the two markets are never mixed, and the choice is remembered', async () => {
  const { page, context, faults } = await createStranger()
  const [standard, micro] = await Promise.all([listOpen('standard'), listOpen('micro')])
  await page.goto('/tasks')
  await expect.poll(() => listShown(page)).toEqual(placeFirst(standard))

  // While the other market is on its way, nothing of the first one stands in its place.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/market\/search\?.*market=micro/, async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('radio', { name: 'Micro' }).check({ force: true })
  await page.locator('.task-list.loading').waitFor()
  expect(await listShown(page)).toEqual([])
  letGo()
  await expect.poll(() => listShown(page)).toEqual(placeFirst(micro))

  await page.getByRole('banner').getByRole('link', { name: 'Fees' }).click()
  await page.getByRole('heading', { level: 1, name: 'Fees' }).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: 'Micro' }).isChecked()).toBe(true)
  await page.goto('/tasks')
  await expect.poll(() => listShown(page)).toEqual(placeFirst(micro))
  expect(faults).toEqual([])
  await context.close()
})

describe.each(['light', 'dark'] as const)('without a wallet, in the %s theme', (colorScheme) => {
  test.each(['/', '/tasks', '/tasks?show=all', '/tasks?q=nothing-like-this', '/fees', '/help'])(
    '%s has no WCAG 2.2 AA violation and fits into 360 pixels',
    async (path) => {
      const { page, context, faults } = await createStranger()
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.locator('.loading').count()).toBe(0)
      expect(await findAxeViolations(page)).toEqual([])
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
      expect(faults).toEqual([])
      await context.close()
    },
  )
})
