import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { getMarketDeployment, prepareAction } from '@svc/chain'
import { accounts, createScene, publicKeys, sendPost, sendTokens, sendTransaction } from '@svc/devnet'
import { parseAmount } from '@svc/protocol'
import { type Address, type Hex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { runWork } from '../../apps/tools/src/work/runWork.ts'
import { findAxeViolations } from '../harness/axe.ts'
import { createContractWallet } from '../harness/contractWallet.ts'
import { publishProfile } from '../harness/publishProfile.ts'
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

/** Starts, delivers and pays a claimed task of one milestone, all on the site. With a change, the first delivery is not enough. */
async function finish(id: string, poster: Person, worker: Person, change?: string): Promise<void> {
  const deliver = async (text: string, last?: string) => {
    await worker.open(`/tasks/${id}`)
    await worker.choose(/^Deliver (your work|version)/)
    if (last) {
      // The next version begins with the one before.
      await worker.page.getByRole('button', { name: 'Start from your last delivery' }).click()
      await expect.poll(() => worker.page.locator('textarea[name="workText"]').inputValue()).toBe(last)
    }
    await worker.page.locator('textarea[name="workText"]').fill(text)
    await worker.sign()
  }
  await poster.open(`/tasks/${id}`)
  await poster.choose(/^Start the work/)
  await poster.sign()
  if (change) {
    await deliver('Two coats.')
    await poster.open(`/tasks/${id}`)
    await poster.choose('Request changes')
    await poster.page.locator('textarea[name="workText"]').fill(change)
    await poster.sign()
  }
  await deliver('It is **done**.', change && 'Two coats.')
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

test('two browsers: a question, an application, the choice, the claim, a change and the payment, to a wallet that is not on chain yet', async () => {
  const { client, deployments } = site.stack.world.devnet
  const id = await postPermitTask('Paint the boat house')
  // Whoever has a name is called by it.
  await publishProfile(site.stack.world, accounts.bruno, { displayName: 'Clara Lindqvist' })
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'eip5792' })
  // Like that of a newcomer with a passkey: until the first transaction, its signatures bring the call that creates it (ERC-6492).
  const wallet = await createContractWallet(client, privateKeyToAccount(generatePrivateKey()))
  await sendTokens(client, deployments, wallet.address, {
    tok: parseAmount('2,000', 'tok'),
    usdc: parseAmount('25', 'usdc'),
  })
  const worker = await createPerson(site.browser, site.stack, wallet.address, {
    kind: 'eip5792',
    answer: wallet.answer,
  })
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
  // The number is the same beside the conversation, on its tab and in the header.
  await row.getByText('2 new messages').waitFor()
  await poster.page.getByRole('tab', { name: 'Messages 2' }).waitFor()
  const duties = await poster.page.locator('.inbox li.due').count()
  await expect.poll(() => poster.page.locator('.site-header .count').textContent()).toBe(String(2 + duties))
  expect(await findAxeViolations(poster.page)).toEqual([])
  await row.getByRole('link', { name: 'Open' }).click()
  await poster.page.locator('.talk-message', { hasText: 'Which <b>blue</b>?' }).waitFor()
  await poster.page.locator('.talk-new').waitFor()
  await poster.page.getByRole('tab', { name: 'Talk', exact: true }).waitFor()
  await poster.page.getByLabel('Your answer').fill('RAL 5010.')
  await poster.page.getByRole('button', { name: 'Send answer' }).click()
  await poster.page.locator('.talk-message.own', { hasText: 'RAL 5010.' }).waitFor()

  await openTalk(worker, id)
  await worker.page.locator('.talk-message', { hasText: 'RAL 5010.' }).getByText('Clara Lindqvist').waitFor()
  await worker.page.locator('.talk-message.own', { hasText: '· Read' }).waitFor()

  // The card knows who waits, and the page opens where they are.
  await poster.open(`/tasks/${id}`)
  await poster.page.getByText('1 person wants this.').waitFor()
  await poster.page.getByRole('button', { name: 'Review 1 applicant' }).waitFor()
  const applicant = poster.page.locator('.applicants > li')
  await applicant.getByText('I painted twelve boat houses.').waitFor()
  await applicant.getByTitle('900 TOK').waitFor()
  await applicant.getByText('in 5 days').waitFor()
  expect(await findAxeViolations(poster.page)).toEqual([])
  await poster.page.setViewportSize({ width: 360, height: 740 })
  expect(await poster.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await poster.page.setViewportSize({ width: 1280, height: 860 })
  await applicant.getByRole('button', { name: 'Choose' }).click()
  await applicant.getByText('You chose them.').waitFor()

  // Whoever was chosen has the right button on the card, whatever tab is open.
  await worker.open(`/tasks/${id}?tab=brief`)
  await worker.page.getByText(/^Clara chose you\. /).waitFor()
  expect(await wallet.isDeployed()).toBe(false)
  await worker.choose('Add 25.00 USDC and accept')
  await worker.sign()
  expect(await wallet.isDeployed()).toBe(true)

  // Once they share the task, a message may bring files.
  await openTalk(worker, id)
  await worker.page.getByLabel('Your question').fill('Like this?')
  const sketch = { name: 'sketch.txt', mimeType: 'text/plain', buffer: Buffer.from('A blue rail.') }
  await worker.page.locator('input[type="file"][multiple]').setInputFiles([sketch])
  await worker.page.getByRole('button', { name: 'Send files' }).click()
  await openTalk(poster, id)
  const sent = poster.page.locator('.talk-message', { hasText: 'Like this?' })
  await sent.getByRole('button', { name: 'Show sketch.txt' }).click()
  await sent.getByText('A blue rail.').waitFor()
  expect(await findAxeViolations(poster.page)).toEqual([])

  await finish(id, poster, worker, 'The rail is still red.')
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
  // The record from the chain stands beside what the applicant says.
  await applicant.getByText(/\d+ tasks? done/).waitFor()
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
