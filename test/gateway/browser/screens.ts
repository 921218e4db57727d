// pnpm screens <folder>: takes screenshots of every page of the gateway, in both themes, wide and narrow, to look at.
import { mkdir } from 'node:fs/promises'
import { accounts, sendApprovals, sendTokens, sendTopUp } from '@svc/devnet'
import type { Page } from 'playwright-core'
import { parseUnits } from 'viem'
import { installWallet } from '../../harness/fakeWallet.ts'
import { claimFirst, postCountingTask, prepareClaim } from './claims.ts'
import { openBrowserFixture } from './fixture.ts'

const folder = `${process.argv[2] ?? '.screens'}/`
const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 740 } } as const
/** A screenshot is cut off at this height. */
const tallest = 1_600

const { devnet, scene, gateway, browser, close } = await openBrowserFixture('world')
for (const [person, usd] of [
  ['newcomer', '5.5'],
  ['keeper', '12'],
  ['guardian', '31.25'],
] as const) {
  await sendTokens(devnet.client, devnet.deployments, accounts[person].address, { tok: 0n, usdc: parseUnits('500', 6) })
  await sendApprovals(scene, accounts[person])
  await sendTopUp(scene, accounts[person], parseUnits(usd, 6))
}
await mkdir(folder, { recursive: true })

const worker = accounts.hana.address
const waiting = await prepareClaim(gateway.url, scene, await postCountingTask(scene), worker)
const lost = await postCountingTask(
  scene,
  'Label 200 photographs of lichen\n\nBy genus, with a second look at the doubtful ones.',
)
const refused = await prepareClaim(gateway.url, scene, lost, worker)
await claimFirst(scene, lost)
const board = `/leaderboard.html?market=standard`
const record = `${board}&wallet=${accounts.emeka.address}&of=completed`
const shots: readonly [name: string, path: string, prepare?: (page: Page) => Promise<unknown>][] = [
  ['hub', '/'],
  ['market', '/market.html'],
  ['market-claim', '/market.html?show=claimable', (page) => page.locator('.claim summary').first().click()],
  ['market-empty', '/market.html?q=nobody+wrote+this'],
  ['leaderboard', board],
  ['leaderboard-events', record],
  ['treasury', '/treasury-dashboard.html'],
  ['approve', `/approve/${waiting.requestId}`, (page) => page.locator('#confirm:enabled').waitFor()],
  ['approve-refused', `/approve/${refused.requestId}`, sign],
  ['not-found', '/approve/req_0000000000000000000000'],
]

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(sizes)) {
    const context = await browser.newContext({ baseURL: gateway.url, colorScheme, viewport, reducedMotion: 'reduce' })
    await installWallet(context, { kind: 'eip6963', account: worker, rpcUrl: devnet.rpcUrl, name: 'Walnut wallet' })
    for (const [name, path, prepare] of shots) {
      // For states, two of the four screenshots are enough.
      if (name.includes('-') && (size === 'wide') !== (colorScheme === 'light')) continue
      const page = await context.newPage()
      await page.goto(path)
      await prepare?.(page)
      const whole = await page.evaluate('document.documentElement.scrollHeight')
      const height = Math.min(Number(whole), tallest)
      await page.setViewportSize({ ...viewport, height })
      await page.screenshot({ path: `${folder}${name}-${size}-${colorScheme}.png`, scale: 'css' })
      await page.close()
    }
    await context.close()
  }
}
await close()

/** Signs what the chain rejects and waits until the page shows it. The second time it is shown from the start. */
async function sign(page: Page): Promise<void> {
  const status = page.locator('[data-live="outcome"]')
  if ((await status.getAttribute('data-status')) === 'pending') await page.locator('#confirm:enabled').click()
  await page.locator('[data-status="reverted"]').waitFor()
}
