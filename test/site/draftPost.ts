import type { Page } from 'playwright-core'

/** What a poster fills in. */
interface Draft {
  title: string
  criteria: string
  milestones: readonly (readonly [what: string, amount: string])[]
}

/** Fills in the first three steps of posting a task. */
export async function draftPost(page: Page, { title, criteria, milestones }: Draft): Promise<void> {
  const goOn = () => page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('What should be done').fill(criteria)
  await goOn()
  for (const [index, [what, amount]] of milestones.entries()) {
    if (index > 0) await page.getByRole('button', { name: 'Add a milestone' }).click()
    const group = page.getByRole('group', { name: `Milestone ${index + 1}` })
    await group.getByLabel('What is delivered').fill(what)
    await group.getByLabel('Pays, TOK').fill(amount)
    await group.getByLabel('Days to do it').fill('2')
  }
  await goOn()
  await page.getByLabel('Days in which it can be claimed').fill('5')
  await page.getByLabel('Hours you take to review').fill('24')
  await goOn()
}
