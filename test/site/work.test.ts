import { readFile } from 'node:fs/promises'
import { accounts, advanceTime, createScene, sendActivation, sendClaim, sendPost, sendProposal } from '@svc/devnet'
import { encodeTaskText } from '@svc/protocol'
import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { startForTests } from '../harness/startForTests.ts'
import { openStoreSite } from './openSite.ts'
import { createPerson, findSign, listWalletCalls, type Person, startCounting } from './person.ts'

const site = startForTests(openStoreSite, 'close')

/** A task that only its parties can read. */
let finishedTask = ''

const srt = '1\n00:00:01,000 --> 00:00:02,000\nHello.\n'

test('a worker delivers files, the poster asks for a change in words, and approves the second version', async () => {
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'eip5792' })
  const id = await post(poster, 'Caption the interview')
  finishedTask = id
  // The poster is offline until the work is there. Only the key stays, in the browser.
  const storageState = await poster.context.storageState({ indexedDB: true })
  await poster.context.close()

  const worker = await createPerson(site.browser, site.stack, accounts.emeka.address, { kind: 'eip5792' })
  await worker.open(`/tasks/${id}`)
  await worker.connect()
  await worker.choose(/^Claim this task/)
  await worker.sign()
  // The claim makes the worker's key known.
  expect(await listWalletCalls(worker.page, 'personal_sign')).toHaveLength(1)

  const back = await createPerson(
    site.browser,
    site.stack,
    accounts.bruno.address,
    { kind: 'eip5792' },
    { storageState },
  )
  await back.open(`/tasks/${id}`)
  await back.connect()
  await back.choose(/^Start the work/)
  await back.sign()

  await worker.open(`/tasks/${id}`)
  await worker.choose(/^Deliver (your work|version)/)
  await write(worker.page, 'Both files are **ready**.', { 'captions.srt': srt, 'notes.md': '# Notes\n\nNone.' })
  // Nothing is lost by a reload once the page says that it is stored.
  await worker.page.getByText('Kept on this device').waitFor()
  await worker.open(`/tasks/${id}`)
  await worker.choose(/^Deliver (your work|version)/)
  await worker.page.getByText('captions.srt').waitFor()
  await expect.poll(() => worker.page.getByLabel('What you deliver').inputValue()).toBe('Both files are **ready**.')
  const count = await startCounting(worker.page)
  await worker.sign()
  expect((await count()).prompts).toBe(1)

  // Encrypted for the poster, who opens it without another prompt.
  await back.open(`/tasks/${id}?tab=work`)
  const panel = back.page.getByRole('tabpanel')
  await panel.getByText('ready', { exact: true }).waitFor()
  await panel.getByText('Verified on chain').waitFor()
  await panel.getByText(/^The store holds .* and serves them until/).waitFor()
  await panel.getByRole('button', { name: 'Show captions.srt' }).click()
  await panel.getByText('Hello.').waitFor()
  expect(await listWalletCalls(back.page, 'personal_sign')).toEqual([])

  await back.choose('Request changes')
  await write(back.page, 'The second line is missing.')
  await back.sign()
  await worker.open(`/tasks/${id}?tab=work`)
  await worker.page.getByRole('tabpanel').getByText('The second line is missing.').waitFor()
  await worker.choose(/^Deliver (your work|version)/)
  await write(worker.page, 'Now with both lines.', {
    'captions.srt': `${srt}\n2\n00:00:03,000 --> 00:00:04,000\nBye.\n`,
  })
  await worker.sign()

  await back.open(`/tasks/${id}?tab=work`)
  await panel.getByText('Now with both lines.').waitFor()
  const changes = panel.locator('.bundle-changes')
  await changes.getByText('Changed since version 1').waitFor()
  await changes.getByText('notes.md').waitFor()
  await changes.getByRole('button', { name: /captions\.srt/ }).click()
  await changes.getByText(/4 lines added/).waitFor()
  await back.choose(/^Approve and pay/)
  await back.sign()
  expect([...poster.faults, ...worker.faults, ...back.faults]).toEqual([])
})

test('a store that is down does not keep a worker from delivering in time, and gets the files later', async () => {
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'eip5792' })
  const worker = await createPerson(site.browser, site.stack, accounts.emeka.address, { kind: 'eip5792' })
  const id = await post(poster, 'Caption the lecture')
  await worker.open(`/tasks/${id}`)
  await worker.connect()
  await worker.choose(/^Claim this task/)
  await worker.sign()
  await poster.choose(/^Start the work/)
  await poster.sign()

  await worker.page.route('**/store/**', (route) => route.abort())
  await worker.open(`/tasks/${id}`)
  await worker.choose(/^Deliver (your work|version)/)
  await write(worker.page, 'Sent in time.', { 'captions.srt': srt })
  await worker.review()
  await worker.page.getByText('The store does not answer.').waitFor()
  await worker.page.getByLabel('Deliver without the receipt of the store').check()
  await worker.sign()
  expect(await readTask(id)).toMatchObject({ receipted: false, phase: 'IN_REVIEW' })

  await worker.page.unroute('**/store/**')
  await worker.open(`/tasks/${id}`)
  // What was written is still on this device.
  await worker.choose('Send the files again')
  await worker.page.getByText('captions.srt').waitFor()
  await worker.sign()
  expect(await readTask(id)).toMatchObject({ receipted: true })
  await poster.open(`/tasks/${id}?tab=work`)
  await poster.page.getByRole('tabpanel').getByText('Sent in time.').first().waitFor()
})

test('a delivery that was cancelled goes on where it stopped, and a restored key opens it on another device', async () => {
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'eip5792' })
  const worker = await createPerson(site.browser, site.stack, accounts.emeka.address, { kind: 'eip5792' })
  const id = await post(poster, 'Caption the concert')
  await worker.open(`/tasks/${id}`)
  await worker.connect()
  await worker.choose(/^Claim this task/)
  await worker.sign()
  await poster.choose(/^Start the work/)
  await poster.sign()

  const passphrase = 'correct horse battery'
  await poster.open('/settings')
  await poster.choose('Save a recovery file')
  await poster.page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await poster.page.getByLabel('Passphrase again').fill(passphrase)
  const downloading = poster.page.waitForEvent('download')
  await poster.choose('Save the file')
  const buffer = await readFile(await (await downloading).path())
  // The device is lost with its key.
  await poster.context.close()

  // The store gets one part, and then nothing until the worker gives up.
  const parts = '**/store/v1/tasks/*/parts/*'
  const sent: string[] = []
  await worker.page.route(parts, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    if (sent.push(route.request().url()) === 1) await route.continue()
  })
  await worker.open(`/tasks/${id}`)
  await worker.choose(/^Deliver (your work|version)/)
  await write(worker.page, 'The whole concert.', { 'concert.srt': srt, 'notes.md': '# Notes' })
  const stored = worker.page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.status() === 201)
  await worker.review()
  const first = (await stored).url()
  await worker.choose('Cancel')
  await worker.page.getByText('What was sent already is not sent again.').waitFor()

  sent.length = 0
  await worker.page.unroute(parts)
  worker.page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/parts/')) sent.push(request.url())
  })
  await worker.sign()
  expect(sent.length).toBeGreaterThan(1)
  expect(sent).not.toContain(first)

  const elsewhere = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'eip5792' })
  await elsewhere.open('/settings')
  await elsewhere.connect()
  await elsewhere.choose('Restore from a file')
  await elsewhere.page.getByLabel('Recovery file').setInputFiles({ name: 'key.age', mimeType: 'text/plain', buffer })
  await elsewhere.page.getByLabel('Its passphrase').fill(passphrase)
  await elsewhere.page.getByRole('button', { name: 'Restore', exact: true }).click()
  await elsewhere.page.getByText('Your key was restored.').waitFor()
  await elsewhere.open(`/tasks/${id}?tab=work`)
  await elsewhere.page.getByRole('tabpanel').getByText('The whole concert.').waitFor()

  // What the store knows of the poster.
  await elsewhere.open('/settings')
  const saving = elsewhere.page.waitForEvent('download')
  await elsewhere.choose('Save a copy')
  const { store } = JSON.parse(await readFile(await (await saving).path(), 'utf8'))
  expect(store).toContainEqual({
    table: 'statement',
    row: expect.objectContaining({ wallet: accounts.bruno.address }),
  })
  await elsewhere.choose('Delete…')
  await elsewhere.choose('Delete now')
  await elsewhere.page.getByText('Deleted. Every device is signed out.').waitFor()
  expect([...worker.faults, ...elsewhere.faults]).toEqual([])
})

test('a brief has a file for everyone and one for the worker: a stranger opens the first, the worker both once the poster is back', async () => {
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'eip5792' })
  const files = { 'guide.md': '# House style', 'customers.csv': 'name,city\nAda,Porto' }
  const id = await post(poster, 'Clean the list', files, ['guide.md'])
  const panel = (person: Person) => person.page.getByRole('tabpanel')
  await panel(poster).getByText('Encrypted, and only you can open them now.').waitFor()

  const stranger = await createPerson(site.browser, site.stack, accounts.farah.address, { kind: 'none' })
  await stranger.open(`/tasks/${id}`)
  await stranger.page.getByRole('button', { name: 'Show guide.md' }).click()
  await panel(stranger).getByRole('heading', { name: 'House style' }).waitFor()
  await panel(stranger).getByText('customers.csv').waitFor()
  expect(await stranger.page.getByRole('button', { name: /customers\.csv/ }).count()).toBe(0)

  await poster.page.goto('about:blank')
  const worker = await createPerson(site.browser, site.stack, accounts.emeka.address, { kind: 'eip5792' })
  await worker.open(`/tasks/${id}`)
  await worker.connect()
  await worker.choose(/^Claim this task/)
  await worker.sign()
  await worker.open(`/tasks/${id}?tab=brief`)
  await panel(worker).getByText('Not shared with you yet.').waitFor()
  // Any page of the poster shares it, and tells the worker.
  await poster.open('/fees')
  await worker.page.getByRole('button', { name: 'Show customers.csv' }).click({ timeout: 60_000 })
  await panel(worker).getByRole('cell', { name: 'Porto' }).waitFor()
  await worker.open(`/tasks/${id}?tab=talk`)
  await panel(worker).getByText('customers.csv').waitFor()
  expect([...poster.faults, ...worker.faults, ...stranger.faults]).toEqual([])
})

// Last, because it changes the chain's time.
test('the judge of a dispute opens the work and the evidence of both sides, and gives reasons that both read', async () => {
  const scene = createScene(site.stack.world.devnet.client, site.stack.world.devnet.deployments, 'micro')
  const terms = { poster: accounts.bruno, amounts: [10n ** 20n], duration: 86_400 }
  const plan = { name: 'plan.txt', type: 'text/plain', size: 9 }
  const words = { title: 'Cut the hedge', criteria: 'Straight.', milestones: ['All of it'], files: [plan] }
  const job = await sendPost(scene, { ...terms, text: words.title, published: encodeTaskText(words) })
  await sendClaim(scene, job, accounts.emeka)
  await sendActivation(scene, job)
  const path = `/tasks/v2:micro:${job.id}`
  const enter = async (account: { address: Address }) => {
    const person = await createPerson(site.browser, site.stack, account.address)
    await person.open('/settings')
    await person.connect()
    await person.page.getByRole('button', { name: 'Sign in' }).click()
    await person.page.getByText('You are signed in.').waitFor()
    return person
  }
  const [poster, worker, judge] = [await enter(accounts.bruno), await enter(accounts.emeka), await enter(accounts.jun)]
  const act = async (
    person: Person,
    words: string | RegExp,
    text: string | null,
    fields: Record<string, string> = {},
  ) => {
    await person.open(`${path}?tab=dispute`)
    await person.choose(words)
    await person.fill(fields)
    if (text !== null) await write(person.page, text)
    await person.sign()
  }
  // The task was posted elsewhere: the poster brings the file of its brief from here.
  await poster.open(`${path}?tab=brief`)
  await poster.page
    .getByLabel('This browser does not have them any more.')
    .setInputFiles({ name: plan.name, mimeType: plan.type, buffer: Buffer.from('Two rows.') })
  await poster.page.getByRole('button', { name: `Show ${plan.name}` }).waitFor()
  await act(worker, /^Deliver (your work|version)/, 'The hedge is cut.')
  await act(poster, 'Dispute', 'It is crooked.')
  await act(worker, 'Send evidence', 'It is straight.', { shareBps: '80' })
  for (const party of [accounts.bruno, accounts.emeka]) await sendProposal(scene, job, party, accounts.jun.address)
  // Both sides ask: the judge sees what it can open before it locks anything.
  await poster.open(path)
  await judge.open(path)
  await judge.page.getByText('Both sides can name you as judge.').waitFor()
  await judge.page.getByText('You can open all 3 pieces of this case.').waitFor()
  await act(judge, 'Accept the case', null)
  // The page of a party that is open shares the work with the judge.
  await poster.open(path)
  await judge.open(`${path}?tab=dispute`)
  const panel = judge.page.getByRole('tabpanel')
  for (const words of ['It is crooked.', 'It is straight.', 'The hedge is cut.']) {
    await panel.getByText(words, { exact: true }).first().waitFor()
  }
  await judge.open(`${path}?tab=brief`)
  await judge.page.getByRole('button', { name: `Show ${plan.name}` }).click({ timeout: 60_000 })
  await panel.getByText('Two rows.').waitFor()
  await judge.open(`/tasks/${finishedTask}?tab=work`)
  await judge.page.getByText('This was not shared with you.').first().waitFor()
  await advanceTime(scene.client, scene.params.evidenceWindow + 60)
  await act(judge, 'Read and rule', 'One side is **crooked**.', { forWorker: 'no' })
  for (const party of [poster, worker]) {
    await party.open(`${path}?tab=dispute`)
    await party.page.getByRole('tabpanel').getByText('crooked', { exact: true }).waitFor()
  }
  // Somebody else sees that there is something, and nothing of it.
  const stranger = await enter(accounts.farah)
  await stranger.open(`${path}?tab=dispute`)
  await stranger.page.getByText('This was not shared with you.').first().waitFor()
  expect(await stranger.page.getByRole('tabpanel').textContent()).not.toContain('crooked')
  expect([...poster.faults, ...worker.faults, ...judge.faults, ...stranger.faults]).toEqual([])
})

const readTask = async (id: string) => {
  await site.stack.service.caughtUp()
  const answer = await fetch(`${site.stack.url}/api/market/task?id=${id}`)
  return ((await answer.json()) as { task: object }).task
}

/** Posts a task by the site, and returns its id. */
async function post(
  person: Person,
  title: string,
  files: Readonly<Record<string, string>> = {},
  forEveryone: readonly string[] = [],
): Promise<string> {
  const { page } = person
  await person.open('/post')
  await person.connect()
  const goOn = () => page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('What should be done').fill('Every word, in order.')
  if (Object.keys(files).length > 0) await page.locator('input[type="file"][multiple]').setInputFiles(toUploads(files))
  for (const name of forEveryone) await page.getByLabel(`Who can open ${name}`).selectOption('everyone')
  await goOn()
  const group = page.getByRole('group', { name: 'Milestone 1' })
  await group.getByLabel('What is delivered').fill('The captions')
  await group.getByLabel('Pays, TOK').fill('3,000')
  await group.getByLabel('Days to do it').fill('2')
  await goOn()
  await goOn()
  await page.getByRole('button', { name: 'Sign in with your wallet' }).click()
  await findSign(page).click()
  if (Object.keys(files).length > 0) await page.getByText('Your files are at the store.').waitFor()
  await page.getByRole('link', { name: 'Open the task' }).click()
  await page.waitForURL(/\/tasks\/v2:standard:\d+\//)
  const [, id = ''] = /\/tasks\/([^/]+)/.exec(new URL(page.url()).pathname) ?? []
  return id
}

/** Writes a text and adds files, by the button. */
async function write(page: Page, text: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.locator('textarea[name="workText"]').fill(text)
  if (Object.keys(files).length > 0) await page.locator('input[type="file"][multiple]').setInputFiles(toUploads(files))
}

const toUploads = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, content]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) }))
