import { accounts, createScene, sendPost as postTask, sendActivation, sendClaim, sendDelivery } from '@svc/devnet'
import { expect, test } from 'vitest'
import { startForTests } from '../harness/startForTests.ts'
import { openSite } from './openSite.ts'
import { createPerson, type Person, startCounting } from './person.ts'

const site = startForTests(openSite, 'close')

test('W13: from an open task to a first claim in at most 3 clicks, 2 confirmations of money and 3 prompts', async () => {
  const job = await postJob('Sweep the yard')
  const person = await createPerson(site.browser, site.stack, accounts.newcomer.address, { kind: 'eip5792' })
  await forgetWallet(person)
  await person.open(`/tasks/v2:standard:${job.id}`)
  const count = await startCounting(person.page)
  await person.page.getByRole('main').getByRole('button', { name: 'Claim this task' }).click()
  await person.page.getByRole('dialog').getByRole('button', { name: 'Fake wallet' }).click()
  // The receipt opens by itself: this is what the visitor wanted.
  await person.page.getByRole('button', { name: 'Claim · $30 now' }).click()
  await person.page.getByRole('heading', { name: 'It’s yours' }).waitFor()
  const { clicks, sent, prompts } = await count()
  expect(clicks).toBeLessThanOrEqual(3)
  expect(sent).toBeLessThanOrEqual(2)
  expect(prompts).toBeLessThanOrEqual(3)
  expect(person.faults).toEqual([])
})

test('W5: a delivery is approved with two clicks, and the receipt says who is paid', async () => {
  const scene = openScene()
  const job = await postJob('Rake the leaves')
  await sendClaim(scene, job, accounts.emeka)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'leaves')
  const person = await createPerson(site.browser, site.stack, accounts.bruno.address)
  await person.open(`/tasks/v2:standard:${job.id}`)
  await person.connect()
  const count = await startCounting(person.page)
  await person.page.getByRole('button', { name: /^Approve and pay/ }).click()
  const receipt = person.page.getByRole('region', { name: 'What you sign' })
  // Nothing leaves the wallet, the hold comes back, and the worker gets the pay.
  await expect
    .poll(async () => (await receipt.locator('.receipt-lines').allInnerTexts()).join())
    .toMatch(/^Leaves your wallet now\s+\$0\s[^$]*Comes back\s+\$2\.50\s[^$]* gets\s+\$0\.25\s+100 TOK, right away\.$/)
  await receipt.getByRole('button', { name: 'Approve and pay $0.25' }).click()
  await person.page.getByRole('heading', { name: / has \$0\.25$/ }).waitFor()
  expect(await count()).toMatchObject({ clicks: 2, sent: 1 })
})

const openScene = () => createScene(site.stack.world.devnet.client, site.stack.world.devnet.deployments, 'standard')

const postJob = (title: string) =>
  postTask(openScene(), {
    poster: accounts.bruno,
    text: `${title}\n\nWell.`,
    amounts: [10n ** 20n],
    duration: 172_800,
  })

/** Makes the wallet ask before it connects, as on a first visit. */
const forgetWallet = ({ context }: Person) =>
  context.addInitScript(() => localStorage.setItem('wagmi.example.fake.disconnected', 'true'))
