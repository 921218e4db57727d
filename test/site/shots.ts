import { accounts, findTaskNumber, type Person as Name } from '@svc/devnet'
import type { Page } from 'playwright-core'
import { type Address, getAddress } from 'viem'
import * as z from 'zod'
import { draftPost } from './draftPost.ts'

const task = (scenario: Parameters<typeof findTaskNumber>[1]) =>
  `/tasks/v2:standard:${findTaskNumber('standard', scenario)}`

/** Who looks at a page: a person of the demo world, whoever has this part in the task of the path, or somebody without a wallet. */
export type Who = Name | 'poster' | 'worker' | 'judge' | 'nobody'

/** Every page of the site, and the states of them that look different. */
export const shots: readonly [
  name: string,
  path: string,
  prepare?: ((page: Page) => Promise<unknown>) | undefined,
  /** Emeka, if nobody else is named. Nobody has no wallet. */
  who?: Who,
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
  ['sign-in', task('open'), openSignIn, 'nobody'],
  ['add-money', '/wallet', openAddMoney, 'newcomer'],
  ...receiptShots('claim-first', 'open', /^Add 25/, 'newcomer'),
  ...receiptShots('claim', 'open', /^Claim this task/, 'emeka'),
  ...receiptShots('post', 'open', null, 'ada'),
  ...receiptShots('deliver', 'working', /^Deliver/, 'worker'),
  ...receiptShots('approve', 'inReview', /^Approve/, 'poster'),
  ...receiptShots('changes', 'inReview', 'Request changes', 'poster'),
  ...receiptShots('dispute', 'inReview', 'Dispute', 'poster'),
  ...receiptShots('rule', 'disputeNamed', null, 'judge'),
  ...receiptShots('decide', 'disputeAppealed', null, 'court'),
  ...receiptShots('appeal', 'disputeRuled', /^Appeal/, 'poster'),
  ...receiptShots('leave', 'working', /^Leave/, 'worker'),
  ...receiptShots('end', 'working', /^End the work/, 'poster'),
]

/** The receipt of a step that the card of a task offers to somebody. Without a button, the form is there already. */
function receiptShots(
  name: string,
  scenario: Parameters<typeof findTaskNumber>[1],
  button: string | RegExp | null,
  who: Who,
): (typeof shots)[number][] {
  const path = name === 'post' ? '/post' : button ? task(scenario) : `${task(scenario)}?tab=dispute`
  return [
    [`receipt-${name}`, path, (page) => (name === 'post' ? openPostReceipt(page) : openReceipt(page, button)), who],
  ]
}

/** Presses a button of the card, fills in what it asks for, and waits for the receipt. */
export async function openReceipt(page: Page, button: string | RegExp | null): Promise<void> {
  const card = page.getByRole('complementary', { name: 'Next step' })
  await card.locator('.card-sentence').waitFor()
  if (button === null) await page.getByRole('radio').first().check()
  else {
    const wanted = card.getByRole('button', { name: button })
    const more = card.getByRole('button', { name: 'More actions' })
    await wanted.or(more).first().waitFor()
    if (!(await wanted.first().isVisible())) await more.click()
    await wanted.first().click()
  }
  const lines = page.getByRole('region', { name: 'What you sign' }).locator('.receipt-lines')
  const text = page.locator('.step-form textarea').first()
  await lines.or(text).first().waitFor()
  if (await text.isVisible()) {
    await text.fill('The rows of May are missing.')
    await page.locator('.step-form button[type="submit"]').click()
  }
  await lines.waitFor()
}

async function openPostReceipt(page: Page): Promise<void> {
  await draftPost(page, { title: 'Draw a map', criteria: 'Every pier.', milestones: [['The map', '128,000']] })
  const signIn = page.getByRole('button', { name: 'Sign in with your wallet' })
  const lines = page.getByRole('region', { name: 'What you sign' }).locator('.receipt-lines')
  await signIn.or(lines).first().waitFor()
  if (await signIn.isVisible()) await signIn.click()
  await lines.waitFor()
}

export async function openSignIn(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Claim this task' }).click()
  await page.getByRole('button', { name: 'Continue with a passkey' }).waitFor()
}

async function openAddMoney(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add money' }).click()
  await page.getByRole('dialog', { name: 'Add money' }).getByText('Your address', { exact: true }).waitFor()
}

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

const roles = z.looseObject({
  poster: z.string(),
  worker: z.string().optional(),
  dispute: z.looseObject({ judge: z.string().nullable() }).nullable(),
})

/** The wallet of a part in the task of a path, or of a person. */
export async function findLooker(url: string, path: string, who: Who): Promise<Address> {
  if (who === 'nobody') return accounts.newcomer.address
  if (who !== 'poster' && who !== 'worker' && who !== 'judge') return accounts[who].address
  const [, id] = /(v2:\w+:\d+)/.exec(path) ?? []
  const answer = await fetch(`${url}/api/market/task?id=${id}`)
  const { task } = z.object({ task: roles }).parse(await answer.json())
  return getAddress(who === 'judge' ? (task.dispute?.judge ?? '') : (task[who] ?? ''))
}
