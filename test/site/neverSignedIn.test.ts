import { accounts, createScene, sendActivation, sendClaim, sendPost } from '@svc/devnet'
import { expect, test } from 'vitest'
import { startForTests } from '../harness/startForTests.ts'
import { openStoreSite } from './openSite.ts'
import { createPerson } from './person.ts'

const site = startForTests(openStoreSite, 'close')
const { bruno, emeka } = accounts

test('a worker delivers to a poster who has never signed in, and the poster opens it after signing in anywhere', async () => {
  const { client, deployments } = site.stack.world.devnet
  const scene = createScene(client, deployments, 'micro')
  const job = await sendPost(scene, {
    poster: bruno,
    amounts: [10n ** 20n],
    duration: 86_400,
    text: 'Count the ships\n\nAll of them.',
  })
  await sendClaim(scene, job, emeka)
  await sendActivation(scene, job)
  await site.stack.service.caughtUp()
  const path = `/tasks/v2:micro:${job.id}`

  const worker = await createPerson(site.browser, site.stack, emeka.address, { kind: 'eip5792' })
  await worker.open(path)
  await worker.connect()
  await worker.choose(/^Deliver (your work|version)/)
  await worker.page.locator('textarea[name="workText"]').fill('Twelve ships.')
  await worker.sign()
  await worker.open(`${path}?tab=work`)
  const sentence = worker.page.locator('.card-sentence')
  await sentence.getByText('they have never signed in here').waitFor()
  await worker.open('/fees')

  // The key becomes known in the settings, which have nothing to do with the task.
  const poster = await createPerson(site.browser, site.stack, bruno.address, { kind: 'eip5792' })
  await poster.open('/settings?market=micro')
  await poster.connect()
  await poster.page.getByRole('button', { name: 'Sign in' }).click()
  await poster.page.getByText('You are signed in.').waitFor()
  expect(await site.store.sql`select from store.statement where wallet = ${bruno.address}`).toHaveLength(1)

  // Any open page of the worker shares it, and asks nothing.
  await poster.open(path)
  await poster.page.getByRole('tabpanel').getByText('Twelve ships.').waitFor()
  await worker.open(path)
  await sentence.getByText('Now it’s the poster’s turn.').waitFor()
  expect([...worker.faults, ...poster.faults]).toEqual([])
})
