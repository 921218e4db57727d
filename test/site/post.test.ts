import { accounts } from '@svc/devnet'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startForTests } from '../harness/startForTests.ts'
import { openSite } from './openSite.ts'
import { createPerson, findSign, startCounting } from './person.ts'

const site = startForTests(openSite, 'close')

const title = 'Record the bells of the old harbour church'
const criteria = (page: Page) => page.getByLabel('What should be done')
const proceed = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

test('a first post takes at most 8 clicks, ends with its link, and leaves no draft behind', async () => {
  const person = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'eip5792' })
  const { page } = person
  await person.open('/post')
  const count = await startCounting(page)
  await person.connect()
  await page.getByLabel('Title').fill(title)
  await criteria(page).fill('Ten minutes, without wind in the microphone.')
  await proceed(page)
  await page.getByLabel('What is delivered').fill('The recording')
  await page.getByLabel('Pays, TOK').fill('12,000')
  await page.getByLabel('Days to do it').fill('3')
  await proceed(page)
  await proceed(page)
  await findSign(page).click()
  await page.getByRole('heading', { name: 'Your task is live' }).waitFor()
  expect((await count()).clicks).toBeLessThanOrEqual(8)
  const link = await page.getByRole('link', { name: 'Open the task' }).getAttribute('href')
  expect(link).toMatch(/^\/tasks\/v2:standard:\d+$/)
  await person.open('/post')
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('')
  await person.open(link ?? '')
  await page.getByRole('heading', { name: title }).waitFor()
  expect(person.faults).toEqual([])
})

test('what was typed survives a reload, and Back leads to the step before', async () => {
  const { page, open } = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'none' })
  await open('/post?market=micro')
  await page.getByLabel('Title').fill(title)
  await criteria(page).fill('Ten minutes.')
  await proceed(page)
  await page.getByLabel('What is delivered').fill('The recording')
  await page.reload()
  await expect.poll(() => page.getByLabel('What is delivered').inputValue()).toBe('The recording')
  await page.goBack()
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe(title)
})

test('the model only advises: its text is marked, shown as text, and used when the poster says so', async () => {
  const { page, open, faults } = await createPerson(site.browser, site.stack, accounts.bruno.address, { kind: 'none' })
  const advice = '**Wanted:** a recording.\n\n- Ten minutes\n\n<img src=x onerror="document.title=\'pwned\'">'
  // A hosted model cannot run here. This fake answers in its place.
  await page.route('**/api/role-chat', (route) =>
    route.fulfill({ contentType: 'application/json', body: JSON.stringify({ text: advice, model: 'fake' }) }),
  )
  await open('/post?market=micro')
  await criteria(page).fill('My own words.')
  await page.getByRole('button', { name: 'Help me write this' }).click()
  await page.getByLabel('What do you need?').fill('record bells')
  await page.getByRole('button', { name: 'Suggest a description' }).click()
  await page.getByText(/^A suggestion by a language model, as advice only/).waitFor()
  await page.locator('.writing-help strong', { hasText: 'Wanted:' }).waitFor()
  await expect.poll(() => criteria(page).inputValue()).toBe('My own words.')
  expect(await page.locator('.writing-help img').count()).toBe(0)
  await page.getByRole('button', { name: 'Use this description' }).click()
  await expect.poll(() => criteria(page).inputValue()).toBe(advice)
  expect(await page.title()).not.toContain('pwned')
  expect(faults).toEqual([])
})
