import { accounts, findTaskNumber } from '@svc/devnet'
import type { Page } from 'playwright-core'

const task = (scenario: Parameters<typeof findTaskNumber>[1]) =>
  `/tasks/v2:standard:${findTaskNumber('standard', scenario)}`

/** Every page of the site, and the states of them that look different. */
export const shots: readonly [name: string, path: string, prepare?: (page: Page) => Promise<unknown>][] = [
  ['home', '/'],
  ['explore', '/tasks'],
  ['explore-all', '/tasks?show=all&market=micro'],
  ['explore-empty', '/tasks?least=999999999'],
  ['task-open', task('openUnfunded')],
  ['task-disputed', task('disputeRuled')],
  ['task-missing', '/tasks/v2:standard:99999'],
  ['post', '/post'],
  ['inbox', '/inbox'],
  ['work', '/work'],
  ['work-working', '/work?tab=working'],
  ['work-judging', '/work?tab=judging'],
  ['wallet', '/wallet'],
  ['wallet-deposit', '/deposit'],
  ['wallet-ledger', '/ledger'],
  ['wallet-union', '/union'],
  ['wallet-top-up', '/wallet', openTopUp],
  ['plans', '/plans'],
  ['judge', '/judge'],
  ['profile', `/u/${accounts.emeka.address}`],
  ['profile-malformed', '/u/0x12'],
  ['leaderboard', '/leaderboard'],
  ['settings', '/settings'],
  ['fees', '/fees'],
  ['help', '/help'],
  ['do', '/do'],
  ['do-action', '/do/stake'],
  ['nowhere', '/nowhere'],
]

/** Settles when the page has stopped reading. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your menu' }).waitFor()
  await page.waitForFunction('document.querySelector(".loading") === null')
}

async function openTopUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Top up', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Amount').waitFor()
}
