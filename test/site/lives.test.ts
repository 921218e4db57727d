import {
  accounts,
  advanceTime,
  createScene,
  sendPost as postTask,
  refreshPrice,
  sendActivation,
  sendClaim,
  sendDelivery,
  sendDispute,
  sendEvidence,
  sendPlanPurchase,
} from '@svc/devnet'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fundPoster } from '../harness/posters.ts'
import { startForTests } from '../harness/startForTests.ts'
import { draftPost } from './draftPost.ts'
import { openSite } from './openSite.ts'
import { createPerson, findSign, startCounting } from './person.ts'

const day = 86_400
const site = startForTests(openSite, 'close')

// First, because others change the chain's time, and the quota is of one day.
test('at the limit the post page refuses, and opens by itself when a plan is bought elsewhere', async () => {
  const { client, deployments } = site.stack.world.devnet
  const scene = createScene(client, deployments, 'micro')
  const wallet = privateKeyToAccount(generatePrivateKey())
  await fundPoster(client, deployments, wallet)
  await client.impersonateAccount({ address: wallet.address })
  const offer = { poster: wallet, text: 'Count the birds\n\nAll of them.', amounts: [10n ** 18n], duration: day }
  for (let i = 0; i < 2; i++) await postTask(scene, offer)
  await site.stack.service.caughtUp()

  const { page, ...person } = await createPerson(site.browser, site.stack, wallet.address)
  await person.open('/post?market=micro')
  await person.connect()
  await page.getByText('2 of 3 posts used today on the free plan.').waitFor()
  await draftPost(page, { title: 'Count the trees', criteria: 'All of them.', milestones: [['The number', '1']] })
  await page.locator('summary', { hasText: 'When the pay is locked' }).click()
  await page.getByRole('radio', { name: /^When somebody claims it/ }).check()
  const sign = findSign(page)
  await sign.waitFor()
  await expect.poll(() => sign.isEnabled()).toBe(true)
  await postTask(scene, offer)
  const refusal = page.getByRole('alert').filter({
    hasText: 'The daily posting limit is reached: 3 of 3 posts used today on the free plan.',
  })
  await refusal.first().waitFor()
  // Either the page blocks it, or the receipt that was prepared again is refused.
  await expect.poll(() => sign.and(page.locator(':enabled')).count()).toBe(0)
  await expect.poll(() => refusal.getByRole('link').first().getAttribute('href')).toBe('/plans?market=micro')

  await sendPlanPurchase(scene, wallet, 'basic', 'usdc')
  await page.getByText('3 of 25 posts used today on the basic plan.').waitFor()
  const recorded = page.waitForResponse(/\/api\/posting\/record$/)
  await sign.click()
  expect((await recorded).status()).toBe(200)
  await page.getByRole('heading', { name: 'Your task is live' }).waitFor()
  await page.getByRole('button', { name: 'Post another task' }).click()
  await page.getByText('4 of 25 posts used today on the basic plan.').waitFor()
  expect(person.faults).toEqual([])
})

test('a task with two milestones and one change request goes from a draft to its end in two browsers', async () => {
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address, {
    kind: 'eip5792',
    name: 'Batch wallet',
  })
  const worker = await createPerson(site.browser, site.stack, accounts.newcomer.address)
  const [post, work] = [poster.page, worker.page]

  await poster.open('/post')
  await poster.connect()
  await draftPost(post, {
    title: 'Draw a map of the harbour',
    criteria: 'Every pier, **to scale**.',
    milestones: [
      ['A sketch', '3,000'],
      ['The map', '7,000'],
    ],
  })
  await findSign(post).click()
  await post.getByRole('link', { name: 'Open the task' }).click()
  await post.waitForURL(/\/tasks\/v2:standard:\d+\/draw-a-map-of-the-harbour$/)
  const path = new URL(post.url()).pathname
  const [, id = ''] = /\/tasks\/([^/]+)/.exec(path) ?? []

  // The newcomer has no deposit: one button tops it up and claims. An old link leads to the same page.
  await worker.open(`/task/${id}`)
  await worker.connect()
  await work.waitForURL((url) => url.pathname === path)
  await expect.poll(() => work.title()).toBe('Draw a map of the harbour · Task Market')
  await work.getByRole('tabpanel').getByText('to scale', { exact: true }).waitFor()
  await worker.choose(/^Add 25\.00 USDC and claim$/)
  await worker.sign()

  // Both pages follow the chain without a reload.
  await poster.choose(/^Start the work/)
  await poster.sign()
  await post.getByRole('button', { name: 'Close' }).click()
  const deliver = async (milestone: number, proof: string) => {
    await worker.open(path)
    await worker.choose(milestone === 1 ? /^Deliver (your work|version)/ : `Deliver milestone ${milestone}`)
    await worker.fill({ proofHash: proof })
    await worker.sign()
  }
  await deliver(1, 'A sketch.')
  await poster.choose('Request changes')
  await poster.fill({ reasonHash: 'The pier in the north is missing.' })
  await poster.sign()
  await deliver(1, 'A better sketch.')
  await poster.open(path)
  await poster.choose(/^Approve and pay/)
  await poster.sign()
  await post.getByRole('button', { name: 'Close' }).click()
  await post.getByText(/^Paid\. 3,000 TOK are in 0x/).waitFor()
  await deliver(2, 'The map.')
  await poster.open(path)
  await poster.choose(/^Approve and pay/)
  await poster.sign()

  await worker.open(`${path}?tab=activity`)
  await work.getByText(/^You earned .*, now in your wallet\.$/).waitFor()
  const readActivity = async () => {
    const rows = await work.getByRole('tabpanel').getByRole('listitem').allInnerTexts()
    return rows.map((each) => each.split('\n')[0]?.replace(/0x\w+…\w+/, 'They'))
  }
  // The list of events is an answer of its own, and may be one block behind the task.
  await expect
    .poll(readActivity)
    .toEqual([
      'They approved milestone 2, 7,000 TOK paid',
      'You delivered milestone 2',
      'They approved milestone 1, 3,000 TOK paid',
      'You delivered version 2 of milestone 1',
      'They asked for changes to milestone 1',
      'You delivered milestone 1',
      'They started the work',
      'You claimed the task',
      'They posted the task, 10,000 TOK locked',
    ])
  expect([...poster.faults, ...worker.faults]).toEqual([])
})

test('approving a delivery takes two clicks from the page of the task to the wallet', async () => {
  const scene = createScene(site.stack.world.devnet.client, site.stack.world.devnet.deployments, 'standard')
  const job = await postTask(scene, {
    poster: accounts.bruno,
    text: 'Tune the piano\n\nAll keys.',
    amounts: [5n * 10n ** 21n],
    duration: 2 * day,
  })
  await sendClaim(scene, job, accounts.emeka)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'the recording')
  const { page, ...person } = await createPerson(site.browser, site.stack, accounts.bruno.address)
  await person.open(`/tasks/v2:standard:${job.id}`)
  await person.connect()
  const count = await startCounting(page)
  await person.choose(/^Approve and pay/)
  await person.sign()
  expect((await count()).clicks).toBeLessThanOrEqual(2)
})

test('a worker is dismissed, and the task can be claimed again', async () => {
  const scene = createScene(site.stack.world.devnet.client, site.stack.world.devnet.deployments, 'standard')
  const job = await postTask(scene, {
    poster: accounts.bruno,
    text: 'Sort the books\n\nBy size.',
    amounts: [3n * 10n ** 21n],
    duration: 2 * day,
  })
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address)
  const worker = await createPerson(site.browser, site.stack, accounts.emeka.address, { kind: 'ethereum' })
  await worker.open(`/tasks/v2:standard:${job.id}`)
  await worker.connect()
  await worker.choose(/^Claim this task/)
  await worker.sign()
  await worker.page.getByRole('button', { name: 'Close' }).click()
  await poster.open(`/tasks/v2:standard:${job.id}`)
  await poster.connect()
  await poster.choose('More actions')
  await poster.choose('Remove worker')
  await poster.sign()
  await worker.page.getByRole('button', { name: /^Claim this task/ }).waitFor()
})

/** A delivered task of the market micro, and its people: each opens the page and clicks what the card offers. */
async function startCase(offer: { arbitrator?: Address; delivers?: boolean } = {}) {
  const { arbitrator, delivers = true } = offer
  const { client, deployments } = site.stack.world.devnet
  const scene = createScene(client, deployments, 'micro')
  const job = await postTask(scene, {
    poster: accounts.bruno,
    text: 'Cut the hedge\n\nStraight.',
    amounts: [10n ** 20n],
    duration: 2 * day,
    ...(arbitrator && { arbitrator }),
  })
  await sendClaim(scene, job, accounts.emeka)
  await sendActivation(scene, job)
  if (delivers) await sendDelivery(scene, job, 'the hedge')
  const path = `/tasks/v2:micro:${job.id}`
  const as = async (account: { address: Address }) => {
    const person = await createPerson(site.browser, site.stack, account.address)
    const card = person.page.getByRole('complementary', { name: 'Next step' })
    const look = async (sentence: string | RegExp) => {
      await person.open(path)
      await person.connect()
      await card.getByText(sentence).waitFor()
    }
    const act = async (words: string | RegExp, fields: Record<string, string> = {}) => {
      await person.open(path)
      await person.connect()
      await card.getByRole('button', { name: words }).click()
      await person.fill(fields)
      await person.sign()
    }
    return { ...person, card, look, act }
  }
  return { client, scene, job, path, as }
}

test('a dispute with a named judge goes through ruling, appeal and the decision of the final court', async () => {
  const { client, scene, path, as } = await startCase({ arbitrator: accounts.jun.address })
  const [poster, worker, jun] = [await as(accounts.bruno), await as(accounts.emeka), await as(accounts.jun)]
  // The form starts with what a poster asks for by default: nothing for the worker.
  await poster.act('Dispute', { evidenceHash: 'It is crooked.' })
  await worker.act('Send evidence', { evidenceHash: 'It is straight.', shareBps: '80 %' })
  // In an open task, the judge of the terms is what the poster proposes.
  await worker.act('Agree to the judge')
  await jun.act('Accept the case')
  const reader = await createPerson(site.browser, site.stack, accounts.keeper.address)
  await reader.open(`${path}?tab=dispute`)
  const panel = reader.page.getByRole('tabpanel')
  await panel.getByText('Poster offers 0 %').first().waitFor()
  await panel.getByText('Worker asks for 80 %').first().waitFor()
  // Nobody rules before the time for evidence is over.
  await advanceTime(client, scene.params.evidenceWindow + 60)
  await jun.act('Read and rule', { forWorker: 'no', reasonHash: 'Mostly crooked.' })
  await poster.look(/^The ruling is for you/)
  await worker.act(/^Appeal/)
  const court = await as(accounts.court)
  await court.act('Read and decide', { forWorker: 'yes', reasonHash: 'Straight enough.' })
  await reader.page.getByText(/^Decided\. /).waitFor()
  await panel.getByText('Ended by the final court. 80 % of the milestone went to the worker.').waitFor()
})

test('without a named judge both sides agree on one, it steps down, and the final court decides', async () => {
  const { client, scene, job, as } = await startCase()
  const [poster, worker, jun] = [await as(accounts.bruno), await as(accounts.emeka), await as(accounts.jun)]
  await sendDispute(scene, job, 'It is crooked.')
  await sendEvidence(scene, job, accounts.emeka, 'It is straight.', 8_000n)
  await poster.act('Propose a judge', { arbitrator: accounts.jun.address })
  await worker.act('Agree to the judge')
  await poster.look(/has to accept the case/)
  await jun.act('Accept the case')
  await worker.look(/^Both sides have spoken/)
  await jun.act('Step down')
  // The parties may find another judge; without one, anyone calls the final court.
  await worker.look(/gave the case back\. Agree on another judge/)
  await advanceTime(client, scene.params.consentWindow + 60)
  await worker.act('Call the final court')
  await poster.look('The final court decides this one.')
  // Nor does the court decide before that.
  await advanceTime(client, scene.params.evidenceWindow - scene.params.consentWindow)
  const court = await as(accounts.court)
  await court.act('Read and decide', { forWorker: 'yes', reasonHash: 'Straight.' })
  await worker.look(/^Decided\. /)
})

test('a poster ends the work, and the worker delivers within the notice and is paid', async () => {
  const { as } = await startCase({ delivers: false })
  const [poster, worker] = [await as(accounts.bruno), await as(accounts.emeka)]
  await poster.look(/is working/)
  await poster.choose('More actions')
  await poster.choose('End the work')
  await poster.sign()
  await worker.look(/is ending this task\. Deliver what you have/)
  await worker.act('Deliver your work', { proofHash: 'Half of the hedge.' })
  await poster.act(/^Approve and pay/)
  await worker.look(/^You earned .*, now in your wallet\.$/)
})

test('a plan is bought and applies by itself, and TOK is staked', async () => {
  await refreshPrice(site.stack.world.devnet.client, accounts.keeper)
  const { page, ...person } = await createPerson(site.browser, site.stack, accounts.chiara.address, { kind: 'eip5792' })
  await person.open('/plans')
  await person.connect()
  await page.getByRole('button', { name: 'Pay with USDC' }).first().click()
  await person.sign()
  await page.getByRole('listitem').filter({ hasText: 'Basic' }).getByText('Your plan').waitFor()
  await person.open('/do/stake')
  await person.fill({ amountTokWei: '50' })
  await person.sign()
})
