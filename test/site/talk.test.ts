import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { getMarketDeployment, prepareAction } from '@svc/chain'
import { accounts, createScene, publicKeys, sendPost, sendTransaction } from '@svc/devnet'
import { type Address, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { runWork } from '../../apps/tools/src/work/runWork.ts'
import { findAxeViolations } from '../harness/axe.ts'
import { type OpenStoreSite, openStoreSite } from './openSite.ts'
import { createPerson, type Person } from './person.ts'

let site: OpenStoreSite
/** The home of an agent. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'))
  site = await openStoreSite()
})
afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Opens the Talk tab of a task, and signs in if the device has not. */
async function openTalk({ page, open, connect }: Person, id: string): Promise<void> {
  await open(`/tasks/${id}?tab=talk`)
  await connect()
  const signIn = page.getByRole('button', { name: 'Sign in with your wallet' })
  const isIn = page.getByText('Only the two of you can read this.')
  await signIn.or(isIn).first().waitFor()
  if (await signIn.isVisible()) await signIn.click()
  await isIn.waitFor()
}

/** Posts a task whose worker its poster chooses. */
async function postPermitTask(title: string): Promise<string> {
  const { client, deployments } = site.stack.world.devnet
  const { id } = await sendPost(createScene(client, deployments, 'standard'), {
    poster: accounts.bruno,
    text: `${title}\n\nTwo coats.`,
    amounts: [parseUnits('1000', 18)],
    duration: 7 * 86_400,
    permitOnly: true,
  })
  await site.stack.service.caughtUp()
  return `v2:standard:${id}`
}

async function readTask(id: string): Promise<unknown> {
  const response = await fetch(`${site.stack.url}/api/market/task?id=${id}`)
  return z.object({ task: z.unknown() }).parse(await response.json()).task
}

/** Starts, delivers and pays a claimed task of one milestone, all on the site. */
async function finish(id: string, poster: Person, worker: Person): Promise<void> {
  await poster.open(`/tasks/${id}`)
  await poster.choose(/^Start the work/)
  await poster.sign()
  await worker.open(`/tasks/${id}`)
  await worker.choose(/^Deliver (your work|version)/)
  await worker.page.locator('textarea[name="workText"]').fill('It is **done**.')
  await worker.sign()
  await poster.open(`/tasks/${id}?tab=work`)
  await poster.page.getByRole('tabpanel').getByText('done', { exact: true }).waitFor()
  await poster.choose(/^Approve and pay/)
  await poster.sign()
  await site.stack.service.caughtUp()
  expect(await readTask(id)).toMatchObject({ state: 'COMPLETED' })
}

/** Runs a command of svc-work as the agent of a wallet, which knows the API and the chain. */
async function runAgent(name: 'emeka', ...argv: string[]) {
  let [output, errors] = ['', '']
  const collect = (take: (text: string) => void) => new PassThrough().on('data', (chunk) => take(String(chunk)))
  const code = await runWork([...argv, '--json'], {
    environment: {
      CHAIN_RPC_URL: site.stack.world.devnet.rpcUrl,
      SVC_API_URL: site.stack.url,
      HOME: folder,
      PRIVATE_KEY: publicKeys[name],
    },
    input: new PassThrough(),
    output: collect((text) => {
      output += text
    }),
    errors: collect((text) => {
      errors += text
    }),
    now: () => Math.floor(Date.now() / 1000),
  })
  if (code !== 0) throw new Error(`${output}${errors}`)
  return JSON.parse(output)
}

test('two browsers: a question, an application, the choice, the claim and the payment', async () => {
  const { bruno, emeka } = accounts
  const id = await postPermitTask('Paint the boat house')
  const poster = await createPerson(site.browser, site.stack, bruno.address, { kind: 'eip5792' })
  const worker = await createPerson(site.browser, site.stack, emeka.address, { kind: 'eip5792' })
  await openTalk(poster, id)
  await poster.page.getByText('Nobody has written about this task yet.').waitFor()

  await openTalk(worker, id)
  await worker.page.getByLabel('Your question').fill('Which <b>blue</b>?')
  await worker.page.getByRole('button', { name: 'Send question' }).click()
  await worker.page.locator('.talk-message.own', { hasText: 'Which <b>blue</b>?' }).waitFor()

  // The question does not keep anybody from applying, with a price and a time of their own.
  await worker.page.getByLabel('Why you').fill('I painted twelve boat houses.\nI have the paint.')
  await worker.page.getByLabel('Your price, TOK').fill('900')
  await worker.page.getByLabel('Your time, days').fill('5')
  await worker.page.getByRole('button', { name: 'Send application' }).click()
  await worker.page.getByText('You applied.').first().waitFor()

  // Every conversation is in one list, with its turn and the way to it.
  await poster.open('/inbox?tab=messages')
  const row = poster.page.getByRole('listitem').filter({ hasText: 'Paint the boat house' })
  await row.getByText('Your turn').waitFor()
  expect(await findAxeViolations(poster.page)).toEqual([])
  await row.getByRole('link', { name: 'Open' }).click()
  await poster.page.locator('.talk-message', { hasText: 'Which <b>blue</b>?' }).waitFor()
  await poster.page.getByLabel('Your answer').fill('RAL 5010.')
  await poster.page.getByRole('button', { name: 'Send answer' }).click()
  await poster.page.locator('.talk-message.own', { hasText: 'RAL 5010.' }).waitFor()

  await openTalk(worker, id)
  await worker.page.locator('.talk-message', { hasText: 'RAL 5010.' }).waitFor()

  // The card knows who waits.
  await poster.open(`/tasks/${id}?tab=brief`)
  await poster.page.getByText('1 person wants this.').waitFor()
  await poster.choose('Review 1 applicant')
  const applicant = poster.page.locator('.applicants > li')
  await applicant.getByText('I painted twelve boat houses.').waitFor()
  await applicant.getByText('Price: 900 TOK · Time: 5 days').waitFor()
  // The record from the chain stands beside what the applicant says.
  await applicant.getByText(/Score \d+/).waitFor()
  expect(await findAxeViolations(poster.page)).toEqual([])
  await poster.page.setViewportSize({ width: 360, height: 740 })
  expect(await poster.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await poster.page.setViewportSize({ width: 1280, height: 860 })
  await applicant.getByRole('button', { name: 'Choose' }).click()
  await applicant.getByText('You chose them.').waitFor()

  // Whoever was chosen has the right button on the card, whatever tab is open.
  await worker.open(`/tasks/${id}?tab=brief`)
  await worker.page.getByText(/chose you\. Accept and it’s yours\./).waitFor()
  await worker.choose(/^Accept/)
  await worker.sign()

  await finish(id, poster, worker)
  expect([...poster.faults, ...worker.faults]).toEqual([])
})

test('a person chooses an agent, which works by command line, and they end the task with a split', async () => {
  const { bruno, emeka } = accounts
  const { providers, devnet } = site.stack.world
  const places = getMarketDeployment(devnet.deployments)
  const id = await postPermitTask('Whitewash the cellar')
  const poster = await createPerson(site.browser, site.stack, bruno.address, { kind: 'eip5792' })
  await openTalk(poster, id)
  await runAgent('emeka', 'apply', id, 'I whitewash a cellar an hour.')

  await openTalk(poster, id)
  const applicant = poster.page.locator('.applicants > li')
  await applicant.getByText('I whitewash a cellar an hour.').waitFor()
  await applicant.getByRole('button', { name: 'Choose' }).click()
  await applicant.getByText('You chose them.').waitFor()

  const { input } = await runAgent('emeka', 'permit', id, '--out', join(folder, 'claim.json'))
  const { calls } = await prepareAction(providers, places, { action: 'claim-task', input, from: emeka.address })
  for (const { to, data } of calls) {
    await sendTransaction(devnet.client, emeka, { to: to as Address, data: data as Hex })
  }
  await runAgent('emeka', 'propose-end', id, '--worker-bps', '2500')

  await openTalk(poster, id)
  await poster.page.getByText('They offer to end the task with 25 %').waitFor()
  await poster.page.getByRole('button', { name: 'Accept and sign' }).click()
  await poster.page.getByRole('button', { name: 'End the task now' }).click()
  await poster.sign()
  await site.stack.service.caughtUp()
  expect(await readTask(id)).toMatchObject({ phase: 'SETTLED' })
  expect(poster.faults).toEqual([])
})

/** Opens the private offers, and signs in if the device has not. */
async function openOffers({ page, open, connect }: Person, query = ''): Promise<void> {
  await open(`/work?tab=offers${query}`)
  await connect()
  const signIn = page.getByRole('button', { name: 'Sign in with your wallet' })
  const isIn = page.getByText('A private task is agreed on between two wallets.')
  await signIn.or(isIn).first().waitFor()
  if (await signIn.isVisible()) await signIn.click()
  await isIn.waitFor()
}

/** Opens the only private offer. */
async function openOffer(person: Person): Promise<void> {
  await openOffers(person)
  await person.page.getByRole('button', { name: 'Open', exact: true }).click()
  await person.page.getByRole('heading', { name: 'Tune the organ' }).waitFor()
}

test('two browsers: a private task from a proposal over two counter-offers to COMPLETED', async () => {
  const { bruno, emeka } = accounts
  const poster = await createPerson(site.browser, site.stack, bruno.address, { kind: 'eip5792' })
  const worker = await createPerson(site.browser, site.stack, emeka.address, { kind: 'eip5792' })
  // The worker's key is known once they have signed in.
  await openOffers(worker)
  await worker.page.getByText('No private offers yet.').waitFor()
  await openOffers(poster, `&to=${emeka.address}`)
  const { page } = poster
  await page.getByLabel('Title', { exact: true }).fill('Tune the organ')
  await page.getByLabel('What counts as done').fill('All pipes.')
  const group = page.getByRole('group', { name: 'Milestone 1' })
  await group.getByLabel('What is delivered').fill('A tuned organ')
  await group.getByLabel('Pays, TOK').fill('5,000')
  await group.getByLabel('Days to do it').fill('3')
  await page.getByRole('button', { name: 'Send proposal' }).click()
  await page.getByText('Waiting for them').waitFor()

  const counter = async (person: Person, pay: string) => {
    await openOffer(person)
    await person.page.getByText('Your turn').waitFor()
    await person.page.getByText('Make a counter-offer').click()
    await person.page.getByLabel('Milestone 1: pay in TOK').fill(pay)
    await person.page.getByLabel('Why').fill(`It is worth ${pay}.`)
    await person.page.getByRole('button', { name: 'Send counter-offer' }).click()
    await person.page.getByText('Waiting for them').waitFor()
  }
  await counter(worker, '6000')
  await counter(poster, '5500')
  await openOffer(worker)
  await worker.page.getByText('It is worth 5500.').waitFor()
  await worker.page.getByRole('button', { name: 'Accept and sign' }).click()
  await worker.page.getByText('You accepted.').waitFor()
  await openOffer(poster)
  expect(await findAxeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Accept and sign' }).click()
  await page.getByText('Both of you signed.').waitFor()
  await poster.sign()
  await site.stack.service.caughtUp()
  const response = await fetch(`${site.stack.url}/api/worker/tasks?address=${emeka.address}&market=standard`)
  const found = z.object({ tasks: z.array(z.object({ id: z.string() }).loose()) }).parse(await response.json())
  const [task] = found.tasks
  expect(task).toMatchObject({
    scope: 'PRIVATE',
    poster: bruno.address,
    totalAmountTokWei: String(parseUnits('5500', 18)),
  })
  const id = task?.id ?? ''
  await poster.open(`/tasks/${id}`)
  await poster.choose(/^Lock /)
  await poster.sign()
  await finish(id, poster, worker)
  expect([...poster.faults, ...worker.faults]).toEqual([])
})
