import type { Page } from 'playwright-core'

/** Every page of the site, and the states of them that look different. */
export const shots: readonly [name: string, path: string, prepare?: (page: Page) => Promise<unknown>][] = [
  ['market', '/'],
  ['market-all', '/?show=all&market=micro'],
  ['market-empty', '/?least=999999999'],
  ['task-open', '/task/v2:standard:34'],
  ['task-disputed', '/task/v2:standard:10'],
  ['task-missing', '/task/v2:standard:99999'],
  ['task-action', '/task/v2:standard:31', previewClaim],
  ['post', '/post'],
  ['work', '/work'],
  ['ledger', '/ledger'],
  ['disputes', '/disputes'],
  ['deposit', '/deposit'],
  ['union', '/union'],
  ['plans', '/plans'],
  ['do', '/do/'],
  ['nowhere', '/nowhere'],
]

/** Settles when the page has stopped reading. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Disconnect' }).waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}

async function previewClaim(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Claim task/ }).click()
  await page.getByRole('button', { name: 'See what you would sign' }).click()
  await page.getByRole('heading', { name: 'What it costs' }).waitFor()
}
