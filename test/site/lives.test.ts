import {
  accounts,
  advanceTime,
  createScene,
  drawPanel,
  sendPost as postTask,
  refreshPrice,
  sendActivation,
  sendClaim,
  sendDelivery,
  sendPlanPurchase,
  sendRulings,
} from '@svc/devnet'
import type { Browser } from 'playwright-core'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fundPoster } from '../harness/posters.ts'
import type { SiteStack } from '../harness/site.ts'
import { type OpenSite, openSite } from './openSite.ts'
import { createPerson } from './person.ts'

const day = 86_400
let site: OpenSite
let stack: SiteStack
let browser: Browser
beforeAll(async () => {
  site = await openSite()
  ;({ stack, browser } = site)
})
afterAll(() => site?.close())

// First, because others change the chain's time, and the quota is of one day.
test('at the limit the post page refuses, and opens by itself when a plan is bought elsewhere', async () => {
  const { client, deployments } = stack.world.devnet
  const scene = createScene(client, deployments, 'micro')
  const wallet = privateKeyToAccount(generatePrivateKey())
  await fundPoster(client, deployments, wallet)
  await client.impersonateAccount({ address: wallet.address })
  const offer = { poster: wallet, text: 'Count the birds\n\nAll of them.', amounts: [10n ** 18n], duration: day }
  for (let i = 0; i < 2; i++) await postTask(scene, offer)
  await stack.service.caughtUp()

  const { page, ...person } = await createPerson(browser, stack, wallet.address)
  await person.open('/post?market=micro')
  await person.connect()
  await page.getByText('2 of 3 posts used today on the free plan.').waitFor()
  const submit = page.getByRole('button', { name: 'See the terms and what they cost' })
  expect(await submit.isEnabled()).toBe(true)
  await postTask(scene, offer)
  const refusal = page.getByRole('alert').filter({
    hasText: 'The daily posting limit is reached: 3 of 3 posts used today on the free plan.',
  })
  await refusal.waitFor()
  expect(await submit.isDisabled()).toBe(true)
  expect(await refusal.getByRole('link').getAttribute('href')).toBe('/plans?market=micro')

  await sendPlanPurchase(scene, wallet, 'basic', 'usdc')
  await page.getByText('3 of 25 posts used today on the basic plan.').waitFor()
  await page.getByLabel('Title').fill('Count the trees')
  await page.getByLabel(/^What must be true/).fill('All of them.')
  await page.getByLabel('What is delivered').fill('The number')
  await page.getByLabel('Pays, in TOK').fill('1')
  await page.getByLabel(/^Days to do it/).fill('2')
  await submit.click()
  await page.locator('form [name="fundAmountTokWei"]').fill('0')
  const recorded = page.waitForResponse(/\/api\/posting\/record$/)
  await person.sign()
  expect((await recorded).status()).toBe(200)
  await page.getByText('4 of 25 posts used today on the basic plan.').waitFor()
  expect(person.faults).toEqual([])
})

test('an open task with two milestones goes from a draft to COMPLETED in two browsers', async () => {
  const poster = await createPerson(browser, stack, accounts.bruno.address, { kind: 'eip5792', name: 'Batch wallet' })
  const worker = await createPerson(browser, stack, accounts.newcomer.address)
  const [post, work] = [poster.page, worker.page]

  await worker.open('/deposit')
  await worker.connect()
  await worker.choose(/^Top up deposit/)
  await worker.fill({ amountUsdc: '45' })
  await worker.sign()

  await poster.open('/post')
  await poster.connect()
  await post.getByLabel('Title').fill('Draw a map of the harbour')
  await post.getByLabel(/^What must be true/).fill('Every pier, to scale.')
  await post.getByRole('button', { name: 'Add a milestone' }).click()
  for (const [index, [what, amount]] of [
    ['A sketch', '300'],
    ['The map', '700'],
  ].entries()) {
    const group = post.getByRole('group', { name: `Milestone ${index + 1}` })
    await group.getByLabel('What is delivered').fill(what ?? '')
    await group.getByLabel('Pays, in TOK').fill(amount ?? '')
    await group.getByLabel(/^Days to do it/).fill('2')
  }
  await post.getByLabel(/^Days in which it can be claimed/).fill('5')
  await post.getByLabel(/^Hours you take for review/).fill('24')
  await post.getByRole('button', { name: 'See the terms and what they cost' }).click()
  await poster.fill({ fundAmountTokWei: '1,000' })
  await poster.sign()

  await stack.service.caughtUp()
  await worker.open('/')
  const newest = work.locator('table.tasks tbody tr').first()
  const id = (await newest.locator('.code').textContent()) ?? ''
  await newest.getByRole('link').click()
  await work.getByRole('heading', { name: 'Draw a map of the harbour' }).waitFor()
  await worker.choose(/^Claim task/)
  await worker.sign()

  await poster.open(`/task/${id}`)
  await poster.choose(/^Start work/)
  await poster.sign()
  for (const milestone of ['A sketch', 'The map']) {
    await worker.open(`/task/${id}`)
    await worker.choose(/^Submit work/)
    await worker.fill({ proofHash: `Here is ${milestone}.` })
    await worker.sign()
    await poster.open(`/task/${id}`)
    await poster.choose('Approve and pay')
    await poster.sign()
  }
  await worker.open(`/task/${id}`)
  await work.locator('.task > header .state', { hasText: 'completed' }).waitFor()
  expect([...poster.faults, ...worker.faults]).toEqual([])
})

test('a worker is dismissed, and the task can be claimed again', async () => {
  const scene = createScene(stack.world.devnet.client, stack.world.devnet.deployments, 'standard')
  const job = await postTask(scene, {
    poster: accounts.bruno,
    text: 'Sort the books\n\nBy size.',
    amounts: [10n ** 20n],
    duration: 2 * day,
  })
  const poster = await createPerson(browser, stack, accounts.bruno.address)
  const worker = await createPerson(browser, stack, accounts.emeka.address, { kind: 'ethereum' })
  await worker.open(`/task/v2:standard:${job.id}`)
  await worker.connect()
  await worker.choose(/^Claim task/)
  await worker.sign()
  await poster.open(`/task/v2:standard:${job.id}`)
  await poster.connect()
  await poster.choose(/^Remove worker/)
  await poster.sign()
  await worker.page.getByRole('button', { name: /^Claim task/ }).waitFor()
})

test('a delivery goes through dispute, ruling, appeal and a second ruling', async () => {
  const { client } = stack.world.devnet
  const scene = createScene(client, stack.world.devnet.deployments, 'micro')
  const job = await postTask(scene, {
    poster: accounts.bruno,
    text: 'Cut the hedge\n\nStraight.',
    amounts: [10n ** 20n],
    duration: day,
  })
  await sendClaim(scene, job, accounts.emeka)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'the hedge')
  const path = `/task/v2:micro:${job.id}`
  const as = async (account: { address: Address }) => {
    const person = await createPerson(browser, stack, account.address)
    return async (words: RegExp, fields: Record<string, string> = {}) => {
      await person.open(path)
      await person.connect()
      await person.choose(words)
      await person.fill(fields)
      await person.sign()
    }
  }
  const [poster, worker, jun] = [await as(accounts.bruno), await as(accounts.emeka), await as(accounts.jun)]
  await poster(/^Open a dispute/, { evidenceHash: 'It is crooked.' })
  await worker(/^Submit evidence/, { evidenceHash: 'It is straight.' })
  await poster(/^Propose arbitrator/, { arbitrator: accounts.jun.address })
  await worker(/^Propose arbitrator/, { arbitrator: accounts.jun.address })
  await advanceTime(client, scene.params.evidenceWindow + 60)
  await jun(/^Submit ruling/, { workerBps: '20', reasonHash: 'Mostly crooked.' })
  await worker(/^Appeal$/)
  await drawPanel(scene, job)
  await advanceTime(client, scene.params.evidenceWindow + 60)
  await sendRulings(scene, job, [8_000n, 8_000n, 8_000n], 'straight enough')
  await advanceTime(client, scene.params.appealWindow + 60)
  const keeper = await as(accounts.keeper)
  await keeper(/^Carry out ruling/)
  const reader = await createPerson(browser, stack, accounts.keeper.address)
  await reader.open(path)
  await reader.page.locator('.task > header .state', { hasText: 'resolved' }).waitFor()
})

test('a plan is bought and applies by itself, and TOK is staked', async () => {
  await refreshPrice(stack.world.devnet.client, accounts.keeper)
  const { page, ...person } = await createPerson(browser, stack, accounts.chiara.address, { kind: 'eip5792' })
  await person.open('/plans')
  await person.connect()
  await page.getByRole('button', { name: 'Quote in USDC' }).first().click()
  await person.sign()
  await page.getByText(/^Your plan is basic/).waitFor()
  await person.open('/union')
  await person.choose(/^Stake$/)
  await person.fill({ amountTokWei: '50' })
  await person.sign()
})
