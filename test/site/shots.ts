import { accounts, findTaskNumber } from '@svc/devnet'
import type { Page } from 'playwright-core'

const task = (scenario: Parameters<typeof findTaskNumber>[1]) =>
  `/tasks/v2:standard:${findTaskNumber('standard', scenario)}`

/** Every page of the site, and the states of them that look different. */
export const shots: readonly [name: string, path: string, prepare?: (page: Page) => Promise<unknown>][] = [
  ['home', '/'],
  ['explore', '/tasks'],
  ['explore-search', '/tasks?q=translation&funded=true&sort=payPerHour'],
  ['explore-all', '/tasks?show=all&market=micro'],
  ['explore-empty', '/tasks?q=nothing-like-this'],
  ['task-open', task('openUnfunded')],
  ['task-disputed', `${task('disputeRuled')}?tab=dispute`, waitForWork],
  ['task-work', `${task('inReview')}?tab=work`, openPicture],
  ['task-versions', `${task('completed')}?tab=work`, openComparison],
  ['task-talk', `${task('openUnfunded')}?tab=talk`],
  ['task-missing', '/tasks/v2:standard:99999'],
  ['post', '/post'],
  ['inbox', '/inbox'],
  ['work', '/work'],
  ['work-working', '/work?tab=working'],
  ['work-judging', '/work?tab=judging'],
  ['work-offers', '/work?tab=offers'],
  ['wallet', '/wallet'],
  ['wallet-deposit', '/deposit'],
  ['wallet-ledger', '/ledger'],
  ['wallet-union', '/union'],
  ['wallet-top-up', '/wallet', openTopUp],
  ['plans', '/plans'],
  ['judge', '/judge'],
  ['court', '/court'],
  ['profile', `/u/${accounts.emeka.address}`],
  ['profile-malformed', '/u/0x12'],
  ['agents', '/agents'],
  ['agents-search', '/agents?skill=translation&q=none'],
  ['leaderboard', '/leaderboard'],
  ['settings', '/settings'],
  ['notifications', '/settings/notifications'],
  ['fees', '/fees'],
  ['help', '/help'],
  ['do', '/do'],
  ['do-action', '/do/stake'],
  ['nowhere', '/nowhere'],
]

/** Settles when the page has stopped reading. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your menu' }).waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}

async function openTopUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Top up', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Amount').waitFor()
}

/** Settles when all work of the page has been fetched and checked. */
async function waitForWork(page: Page): Promise<void> {
  await page.getByText('Verified on chain').first().waitFor()
  await page.locator('.task-body .skeleton').first().waitFor({ state: 'detached' })
}

/** Opens the table, the picture and the check of a delivery. */
export async function openPicture(page: Page): Promise<void> {
  await waitForWork(page)
  for (const name of ['results.csv', 'reserve-p95.png'])
    await page.getByRole('button', { name: `Show ${name}` }).click()
  await page.getByRole('img', { name: /reserve-p95/ }).waitFor()
  await page.getByText('Verified on chain').click()
}

/** Compares a file of two versions. */
export async function openComparison(page: Page): Promise<void> {
  await waitForWork(page)
  for (const name of ['analysis.md', 'answers.csv']) await page.getByRole('button', { name: `Compare ${name}` }).click()
  await page.getByText('0 lines added, 3 lines removed').waitFor()
}
