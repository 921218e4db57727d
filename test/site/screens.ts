// pnpm screens:site [folder [name …]]: takes the pictures of docs/screens. With a folder: every page and state of shots.ts, or those
// of these names, in both themes and on a phone, to look at.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { accounts, findTaskNumber, type Person as Name } from '@svc/devnet'
import type { Page } from 'playwright-core'
import { openStoreSite } from './openSite.ts'
import { createPerson } from './person.ts'
import { openComparison, openPicture, shots, waitUntilSettled } from './shots.ts'

const sizes = { wide: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const
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

const names = process.argv.slice(3)
const folder = process.argv[2] ?? fileURLToPath(new URL('../../docs/screens/', import.meta.url))
const { stack, browser, close } = await openStoreSite()
if (process.argv[2] === undefined) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
if (process.argv[2] === undefined) {
  for (const [name, path, who, theme, size, prepare] of chosen) {
    const { page, context } = await openPage(path, who, theme, size, who !== 'newcomer')
    await prepare?.(page)
    await writeFile(`${folder}/${name}.jpg`, await takeSmallPicture(page))
    await context.close()
  }
} else {
  for (const theme of ['light', 'dark'] as const) {
    for (const size of ['wide', 'phone'] as const) {
      for (const [name, path, prepare] of shots) {
        if (names.length > 0 && !names.includes(name)) continue
        const { page, context } = await openPage(path, 'emeka', theme, size, true)
        await prepare?.(page)
        const height = Math.min(tallest, Number(await page.evaluate('document.documentElement.scrollHeight')))
        const clip = { x: 0, y: 0, width: sizes[size].width, height }
        await page.screenshot({ path: `${folder}/${name}-${theme}-${size}.png`, clip, fullPage: true })
        await context.close()
      }
    }
  }
}
await close()

async function openPage(
  path: string,
  who: Name,
  colorScheme: 'light' | 'dark',
  size: keyof typeof sizes,
  asMember: boolean,
) {
  const kind = asMember ? 'eip6963' : 'none'
  const { page, context, open, connect } = await createPerson(browser, stack, accounts[who].address, { kind })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(sizes[size])
  await open(path)
  // The font is optional: the first visit may do without, the second has it.
  await page.reload()
  if (asMember) {
    await connect()
    await waitUntilSettled(page)
  }
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  return { page, context }
}

/** The visible part of a page, as small as it must be and as good as it can be. */
async function takeSmallPicture(page: Page): Promise<Buffer> {
  for (let quality = 88; ; quality -= 6) {
    const picture = await page.screenshot({ type: 'jpeg', quality })
    if (picture.length <= largest || quality < 40) return picture
  }
}
