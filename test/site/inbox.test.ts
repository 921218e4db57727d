import type { TaskDetailJson } from '@svc/client'
import { accounts } from '@svc/devnet'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { SiteStack } from '../harness/site.ts'
import { startForTests } from '../harness/startForTests.ts'
import { openSite } from './openSite.ts'
import { createPerson } from './person.ts'

type ScenarioName = SiteStack['world']['demoTasks'][number]['scenario']['name']
type Task = Pick<TaskDetailJson, 'id' | 'poster' | 'worker' | 'dispute'>

const site = startForTests(openSite, 'close')

/** Who must find the task of a scenario in the inbox, in which group, and what its button says. */
const cases: readonly [
  says: string,
  scenario: ScenarioName,
  who: (task: Task) => string | null | undefined,
  group: 'Due' | 'You can',
  button: string,
][] = [
  ['a seated judge', 'disputeEvidence', ({ dispute }) => dispute?.judge, 'Due', 'Open the case'],
  ['the final court', 'disputeAppealed', () => accounts.court.address, 'Due', 'Open the case'],
  ['a poster with work to review', 'inReview', ({ poster }) => poster, 'Due', 'Review the work'],
  ['a poster in a dispute', 'disputeEvidence', ({ poster }) => poster, 'You can', 'Add evidence'],
  ['a worker whose review lapsed', 'reviewLapsed', ({ worker }) => worker, 'You can', 'Get paid'],
  ['a poster with a claim that can start', 'readyToStart', ({ poster }) => poster, 'You can', 'Start the work'],
  ['a poster of what nobody took', 'claimClosed', ({ poster }) => poster, 'You can', 'Close the task'],
]

test.each(cases)('%s finds the task in the inbox, with the way to it', async (_, scenario, who, group, button) => {
  const task = await readTask(scenario)
  const address = who(task)
  expect(address).toBeTruthy()
  const { page, context, open, connect } = await createPerson(site.browser, site.stack, address as Address)
  await open('/inbox')
  await connect()
  // A judge is led to the evidence.
  const tab = address === task.poster || address === task.worker ? '' : '?tab=dispute'
  const link = page.getByRole('region', { name: group }).locator(`a[href="/tasks/${task.id}${tab}"]`)
  await link.waitFor()
  await expect.poll(() => link.textContent()).toBe(button)
  await link.click()
  await page.waitForURL(({ pathname }) => pathname.startsWith(`/tasks/${task.id}`))
  await context.close()
})

test('duties come first, the closest deadline on top, and the header counts them', async () => {
  const { page, context, open, connect } = await createPerson(site.browser, site.stack, accounts.ada.address)
  await open('/inbox')
  await connect()
  await page.getByRole('heading', { level: 3 }).first().waitFor()
  const response = await fetch(`${site.stack.url}/api/wallet/inbox?market=standard&address=${accounts.ada.address}`)
  const { entries } = (await response.json()) as { entries: { taskId: string; duty: boolean; urgent: number | null }[] }
  const ordered = [...entries.filter(({ duty }) => duty), ...entries.filter(({ duty }) => !duty)]
  const links = await page
    .locator('.inbox a[href^="/tasks/v2"]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')))
  expect(links).toEqual(ordered.map(({ taskId }) => `/tasks/${taskId}`))
  const duties = entries.filter(({ duty }) => duty)
  const deadlines = duties.map(({ urgent }) => urgent ?? Number.POSITIVE_INFINITY)
  expect(deadlines).toEqual([...deadlines].sort((a, b) => a - b))
  await expect.poll(() => page.locator('.site-header .count').textContent()).toBe(String(duties.length))
  // What runs without her is below, and is nothing of that.
  const others = page.getByRole('region', { name: 'Waiting for others' }).locator('a[href^="/tasks/v2"]')
  await others.first().waitFor()
  for (const path of await others.evaluateAll((all) => all.map((each) => each.getAttribute('href')))) {
    expect(links).not.toContain(path)
  }
  await context.close()
})

test('an empty inbox says so and offers what to do', async () => {
  const { page, context, open, connect } = await createPerson(site.browser, site.stack, accounts.newcomer.address)
  await open('/inbox')
  await connect()
  await page.getByText('Nothing waits for you here').waitFor()
  await page.locator('main').getByRole('link', { name: 'Explore tasks' }).click()
  await page.waitForURL('**/tasks')
  await context.close()
})

/** Reads the task of a scenario in the standard market. */
async function readTask(scenario: ScenarioName): Promise<Task> {
  const found = site.stack.world.demoTasks.find((each) => each.market === 'standard' && each.scenario.name === scenario)
  if (!found) throw new Error(`The demo world has no task ${scenario}.`)
  const response = await fetch(`${site.stack.url}/api/market/task?id=v2:standard:${found.taskId}`)
  const { task } = (await response.json()) as { task: Task }
  return task
}
