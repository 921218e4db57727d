import { accounts, findTaskNumber, type Person as Name } from '@svc/devnet'
import type { Page } from 'playwright-core'

const task = (scenario: Parameters<typeof findTaskNumber>[1]) =>
  `/tasks/v2:standard:${findTaskNumber('standard', scenario)}`

/** Every page of the site, and the states of them that look different. */
export const shots: readonly [
  name: string,
  path: string,
  prepare?: ((page: Page) => Promise<unknown>) | undefined,
  /** Emeka, if nobody else is named. */
  who?: Name,
][] = [
  ['home', '/'],
  ['explore', '/tasks'],
  ['explore-search', '/tasks?q=translation&funded=true&sort=payPerHour'],
  ['explore-all', '/tasks?show=all&market=micro'],
  ['explore-empty', '/tasks?q=nothing-like-this'],
  ['task-open', task('openUnfunded')],
  ['task-disputed', `${task('disputeRuled')}?tab=dispute`, waitForWork],
  ['task-work', `${task('inReview')}?tab=work`, openPicture],
  ['task-versions', `${task('completed')}?tab=work`, openComparison],
  ['task-talk', `${task('openUnfunded')}?tab=talk`, signInOnPage],
  ['card-applies', `${task('permitOnly')}?tab=talk`, signInOnPage],
  ['card-review', task('inReview'), waitForCard],
  ['card-paid', task('completed'), waitForCard],
  ['card-evidence', task('disputeEvidence'), waitForCard],
  ['court-ruling', `${task('disputeAppealed')}?tab=dispute`, chooseRuling, 'court'],
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
  ['court-safe', '/court', draftDecision],
  ['court-public', '/court', (page) => showCourt(page, publicCourt)],
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

async function waitForCard(page: Page): Promise<void> {
  await page.locator('.card-sentence').waitFor()
}

/** Signs in to the conversations of a task. */
export async function signInOnPage(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in with your wallet' })
  const isIn = page.getByText('Only the two of you can read this.')
  await button.or(isIn).first().waitFor()
  if (await button.isVisible()) await button.click()
  await isIn.waitFor()
}

/** Applies and asks something, if the wallet has not. */
export async function talkWithPoster(page: Page): Promise<void> {
  await signInOnPage(page)
  const apply = page.getByRole('button', { name: 'Send application' })
  const applied = page.getByText('You applied.').last()
  await apply.or(applied).first().waitFor()
  if (await apply.isVisible()) {
    await page.getByLabel('Why you').fill('I drew the maps of three harbours.\nI can start today.')
    await page.getByLabel('Your price, TOK').fill('90,000')
    await apply.click()
    await applied.waitFor()
    await page.getByLabel('Your question').fill('Which file format do you need?')
    await page.getByRole('button', { name: 'Send question' }).click()
  }
  await page.locator('.talk-message', { hasText: 'Which file format' }).waitFor()
}

/** As its poster, chooses the only applicant, if nobody is chosen. */
export async function chooseApplicant(page: Page): Promise<void> {
  await signInOnPage(page)
  const choose = page.locator('.applicants').getByRole('button', { name: 'Choose' })
  const chosen = page.getByText('You chose them.')
  await choose.or(chosen).first().waitFor()
  if (await choose.isVisible()) await choose.click()
  await chosen.first().waitFor()
}

/** Picks one of the two numbers with the keyboard. */
async function chooseRuling(page: Page): Promise<void> {
  await page.getByRole('radio').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.locator('.ruling.chosen').waitFor()
}

async function openTopUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add to it', exact: true }).click()
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

/** What a court that asks the public says of itself. */
const publicCourt = {
  kind: 'reality',
  reality: accounts.jun.address,
  policy: 'https://market.example/docs/court',
  answerSeconds: 518_400,
  timeoutSeconds: 86_400,
  minBondWei: '20000000000000000',
}

/** Shows the page with another kind of court: the one of the demo world is a wallet. */
async function showCourt(page: Page, court: object): Promise<void> {
  await page.route('**/api/market/court*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    await route.fulfill({ response, json: { ...body, court: { ...body.court, ...court } } })
  })
  await page.reload()
  await waitUntilSettled(page)
}

/** Decides the first case of a Safe, without signing anything. */
export async function draftDecision(page: Page): Promise<void> {
  await showCourt(page, { kind: 'safe', signatures: 2 })
  await page
    .getByLabel(/^Decision about/)
    .first()
    .selectOption('true')
  await page.getByLabel(/^Reasons about/).fill('All of it is there.')
}
