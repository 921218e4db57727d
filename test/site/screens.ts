// pnpm screens:site [folder [name …]]: takes the pictures of docs/screens. With a folder: every page and state of shots.ts, or those
// of these names, in both themes and on a phone, to look at.
// pnpm screens:site <folder> --beside <mocks> [name …]: contact sheets of pages in both themes, each beside its mock if it has one.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts, findTaskNumber, listNamed, type Person as Name } from '@svc/devnet'
import type { BrowserContext, Page } from 'playwright-core'
import type { Address } from 'viem'
import { publishProfile } from '../harness/publishProfile.ts'
import { openStoreSite } from './openSite.ts'
import { createPerson } from './person.ts'
import {
  chooseApplicant,
  findLooker,
  openComparison,
  openPicture,
  openReceipt,
  openSignIn,
  shots,
  signInOnPage,
  talkWithPoster,
  type Who,
  waitUntilSettled,
} from './shots.ts'

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
/** A picture in the repository is no larger than this, in bytes. */
const largest = 80_000
/** A picture to look at shows no more of a long page. */
const tallest = 2_400

const task = (scenario: Parameters<typeof findTaskNumber>[1]) =>
  `/tasks/v2:standard:${findTaskNumber('standard', scenario)}`

/** The pictures of the repository: at most 24. */
const chosen: readonly [
  name: string,
  path: string,
  who: Name,
  theme: 'light' | 'dark',
  size: keyof typeof sizes,
  prepare?: (page: Page) => Promise<unknown>,
][] = [
  ['landing', '/', 'newcomer', 'light', 'wide'],
  ['landing-phone', '/', 'newcomer', 'dark', 'phone'],
  ['explore', '/tasks', 'emeka', 'light', 'wide'],
  ['explore-dark', '/tasks', 'emeka', 'dark', 'wide'],
  ['explore-phone', '/tasks', 'emeka', 'light', 'phone'],
  ['task-open', task('open'), 'emeka', 'light', 'wide'],
  ['sign-in', task('open'), 'newcomer', 'light', 'wide', openSignIn],
  ['receipt-claim', task('open'), 'emeka', 'light', 'wide', (page) => openReceipt(page, /^Claim this task/)],
  ['receipt-phone', task('open'), 'emeka', 'dark', 'phone', (page) => openReceipt(page, /^Claim this task/)],
  ['receipt-rule', `${task('disputeNamed')}?tab=dispute`, 'mateo', 'light', 'wide', openRuling],
  ['task-review', task('inReview'), 'devi', 'light', 'wide', openPicture],
  ['task-versions', `${task('completed')}?tab=work`, 'emeka', 'light', 'wide', openComparison],
  ['task-dispute', `${task('disputeRuled')}?tab=dispute`, 'bruno', 'dark', 'wide'],
  ['task-phone', task('open'), 'emeka', 'light', 'phone'],
  ['post', '/post', 'ada', 'light', 'wide'],
  ['inbox', '/inbox', 'ada', 'light', 'wide'],
  ['work', '/work', 'ada', 'light', 'wide'],
  ['wallet', '/wallet', 'emeka', 'light', 'wide'],
  ['judge', '/judge', 'jun', 'dark', 'wide'],
  ['profile', `/u/${accounts.emeka.address}`, 'ada', 'light', 'wide'],
  ['leaderboard', '/leaderboard', 'ada', 'light', 'wide'],
  ['fees', '/fees', 'ada', 'light', 'wide'],
  ['help', '/help', 'ada', 'dark', 'phone'],
]

const application = `${task('permitOnly')}?tab=talk`

/** The pages of the sheets and who looks at them. Those that have a mock of this name stand beside it. */
const drawn: readonly [mock: string, path: string, who: Who, prepare?: (page: Page) => Promise<unknown>][] = [
  ['task-1-stranger', task('open'), 'newcomer'],
  ['task-3-open', task('open'), 'emeka'],
  ['task-5-working', task('working'), 'worker'],
  ['task-6-review', task('inReview'), 'poster'],
  ['task-7-paid', task('completed'), 'worker'],
  ['court-judge', `${task('disputeNamed')}?tab=dispute`, 'judge'],
  ['court-party', `${task('disputeRuled')}?tab=dispute`, 'worker'],
  ['inbox', '/inbox', 'ada'],
  ...['landing', 'explore'].map((name): (typeof drawn)[number] => [
    name,
    name === 'landing' ? '/' : '/tasks',
    'newcomer',
  ]),
  ['profile', `/u/${accounts.emeka.address}`, 'newcomer'],
  ['post-1-describe', '/post', 'ada'],
  ['empty', '/tasks?q=nothing-like-this', 'newcomer'],
  ['help', '/help', 'newcomer'],
  ['fees', '/fees', 'newcomer'],
  ['explore-member', '/tasks', 'emeka'],
  ['task-8-applicants', application, 'poster', reviewApplicants],
  ['talk', application, 'emeka', talkWithPoster],
  ['task-4-chosen', application, 'emeka', beChosen],
]

const mocks = process.argv[3] === '--beside' ? (process.argv[4] ?? '') : null
const names = process.argv.slice(mocks === null ? 3 : 5)
const folder = process.argv[2] ?? fileURLToPath(new URL('../../docs/screens/', import.meta.url))
/** What the browser of each person of the sheets has stored. Messages are encrypted for its keys. */
const devices = new Map<Address, Awaited<ReturnType<BrowserContext['storageState']>>>()
const { stack, browser, close } = await openStoreSite()
for (const { account, profile } of listNamed()) await publishProfile(stack.world, account, profile)
if (process.argv[2] === undefined) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
if (process.argv[2] === undefined) {
  for (const [name, path, who, theme, size, prepare] of chosen) {
    const { page, context } = await openPage(path, accounts[who].address, theme, size, who !== 'newcomer')
    await prepare?.(page)
    await writeFile(`${folder}/${name}.jpg`, await takeSmallPicture(page))
    await context.close()
  }
} else if (mocks !== null) {
  for (const [mock, path, who, prepare] of drawn) {
    if (names.length > 0 && !names.includes(mock)) continue
    for (const size of ['wide', 'phone'] as const) {
      const pictures: string[] = []
      for (const theme of ['light', 'dark'] as const) {
        const file = join(mocks, `${mock}-${size}${theme === 'dark' ? '-dark' : ''}.png`)
        if (existsSync(file)) pictures.push(toDataUrl(await readFile(file)))
        const address = await findLooker(stack.url, path, who)
        const { page, context } = await openPage(path, address, theme, size, who !== 'newcomer')
        await prepare?.(page)
        pictures.push(toDataUrl(await takeWholePicture(page, size)))
        await closePage(context, address)
      }
      await saveSheet(`${folder}/${mock}-${size}.png`, pictures, size === 'wide' ? 720 : 390)
    }
  }
} else {
  for (const theme of ['light', 'dark'] as const) {
    for (const size of ['wide', 'phone'] as const) {
      for (const [name, path, prepare, who = 'emeka'] of shots) {
        if (names.length > 0 && !names.includes(name)) continue
        const address = await findLooker(stack.url, path, who)
        const { page, context } = await openPage(path, address, theme, size, who !== 'nobody')
        await prepare?.(page)
        await writeFile(`${folder}/${name}-${theme}-${size}.png`, await takeWholePicture(page, size))
        await context.close()
      }
    }
  }
}
await close()

/** Closes the page of somebody, and remembers the keys of their device for the next one. */
async function closePage(context: BrowserContext, who: Address): Promise<void> {
  devices.set(who, await context.storageState({ indexedDB: true }))
  await context.close()
}

async function openPage(
  path: string,
  who: Address,
  colorScheme: 'light' | 'dark',
  size: keyof typeof sizes,
  asMember: boolean,
) {
  const kind = asMember ? 'eip6963' : 'none'
  const device = asMember && devices.get(who)
  const options = device ? { storageState: device } : {}
  const { page, context, open, connect } = await createPerson(browser, stack, who, { kind }, options)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(sizes[size])
  // Amounts turn into dollars when the price is known. Not every page asks for it.
  const priced = page.waitForResponse(/\/api\/price\//, { timeout: 5_000 }).catch(() => null)
  await open(path)
  await page.evaluate('document.fonts.ready')
  await page.locator('#first').waitFor({ state: 'detached' })
  await priced
  if (asMember) {
    await connect()
    await waitUntilSettled(page)
  }
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  return { page, context }
}

async function takeWholePicture(page: Page, size: keyof typeof sizes): Promise<Buffer> {
  const height = Math.min(tallest, Number(await page.evaluate('document.documentElement.scrollHeight')))
  return page.screenshot({ clip: { x: 0, y: 0, width: sizes[size].width, height }, fullPage: true })
}

function toDataUrl(picture: Buffer): string {
  return `data:image/png;base64,${picture.toString('base64')}`
}

/** Lets somebody else do something first, in a browser of their own. */
async function letAct(who: Who, act: (page: Page) => Promise<unknown>): Promise<void> {
  const address = await findLooker(stack.url, application, who)
  const { page, context } = await openPage(application, address, 'light', 'wide', true)
  await act(page)
  await closePage(context, address)
}

/** Picks a number, and shows what ruling for it takes and brings. */
async function openRuling(page: Page): Promise<void> {
  await openReceipt(page, null)
  await page.locator('.receipt-lines').evaluate((lines) => lines.scrollIntoView({ block: 'center' }))
}

async function reviewApplicants(page: Page): Promise<void> {
  await signInOnPage(page)
  await letAct('emeka', talkWithPoster)
  await page.reload()
  await page.locator('.applicants').waitFor()
}

async function beChosen(page: Page): Promise<void> {
  await letAct('poster', signInOnPage)
  await signInOnPage(page)
  const accept = page.locator('.action-bar').getByRole('button', { name: /^Accept/ })
  const apply = page.getByRole('button', { name: 'Send application' })
  const applied = page.locator('.card-sentence', { hasText: 'You applied.' })
  await accept.or(apply).or(applied).first().waitFor()
  if (!(await accept.isVisible())) {
    await talkWithPoster(page)
    await letAct('poster', chooseApplicant)
    await page.reload()
    await accept.waitFor()
  }
  await page.getByRole('tab', { name: 'Brief' }).click()
}

/** Pictures side by side, each as wide as this. */
async function saveSheet(path: string, pictures: readonly string[], width: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width: (width + 16) * pictures.length, height: 900 } })
  const images = pictures.map((url) => `<img src="${url}" width="${width}">`)
  await page.setContent(
    `<body style="margin:8px;display:flex;gap:16px;align-items:start;background:#888">${images.join('')}`,
  )
  await page.screenshot({ path, fullPage: true })
  await page.close()
}

/** The visible part of a page, as small as it must be and as good as it can be. */
async function takeSmallPicture(page: Page): Promise<Buffer> {
  for (let quality = 88; ; quality -= 6) {
    const picture = await page.screenshot({ type: 'jpeg', quality })
    if (picture.length <= largest || quality < 40) return picture
  }
}
