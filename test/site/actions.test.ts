import { accounts, createScene, type Scene, sendCall, setUpMarkets } from '@svc/devnet'
import { formatAmount } from '@svc/protocol'
import { tokTokenAbi } from '@svc/protocol/abis'
import { type AnyAction, encodeActionInput } from '@svc/protocol/actions'
import type { Browser } from 'playwright-core'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAxeViolations } from '../harness/axe.ts'
import type { WorldOptions } from '../harness/indexed.ts'
import type { SiteStack } from '../harness/site.ts'
import { buildFullInput, readTermsByTask } from '../protocol/buildFullInput.ts'
import { type Case, cases, ownActions } from '../protocol/cases.ts'
import { readTaskContexts } from '../protocol/readTaskContext.ts'
import { openGrantFile } from './grantFile.ts'
import { type OpenSite, openSite } from './openSite.ts'
import { createPerson } from './person.ts'

/** Without the demo world, which no case needs. */
const peopleOnly: WorldOptions['fill'] = async (client, deployments) => {
  await setUpMarkets(client, deployments)
  return []
}

let site: OpenSite
let stack: SiteStack
let browser: Browser
let scene: Scene
beforeAll(async () => {
  site = await openSite({ fill: peopleOnly, onStalled: () => {} })
  ;({ stack, browser } = site)
  const { client, deployments } = stack.world.devnet
  scene = createScene(client, deployments, 'standard')
})
afterAll(() => site?.close())

describe('every action of the table can be signed on the site', () => {
  test.each(ownActions.map((action) => [action.name, action] as const))('%s', async (name, action) => {
    const snapshot = await scene.client.snapshot()
    const it = await cases[name]?.(scene)
    if (!it) throw new Error(`No case for ${name}.`)
    const json = await buildTypedInput(action, it)
    const person = await createPerson(browser, stack, it.by.address)
    try {
      const { taskId, market, ...rest } = json
      const query = new URLSearchParams({
        ...(taskId ? { taskId: String(taskId) } : {}),
        ...(market ? { market: String(market) } : {}),
      })
      await person.open(`/do/${name}?${query}`)
      await person.connect()
      const asked = await person.page
        .locator('form [name]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('name')))
      const typed = Object.entries(rest).filter(([part]) => asked.includes(part))
      await person.fill(Object.fromEntries(typed.map(([part, value]) => [part, formatTyped(part, value)])))
      await person.sign()
      expect(person.faults).toEqual([])
    } finally {
      await person.context.close()
      await scene.client.revert({ id: snapshot })
    }
  })
})

test('an owner sees what its agent may still spend and the most that it can lose, and revokes it with a receipt', async () => {
  const { client, deployments } = scene
  const { address } = accounts.bruno
  const { tokToken, paymentGateway } = scene.contracts
  const token = { abi: tokTokenAbi, address: tokToken } as const
  const args = [paymentGateway, parseUnits('4000', 18)] as const
  await sendCall(client, accounts.bruno, { ...token, functionName: 'approve', args })
  const { open, connect, page, sign, context } = await createPerson(browser, stack, address)
  await open('/settings?market=standard')
  await connect()
  await openGrantFile(page, deployments, address)
  const card = page.getByRole('article', { name: 'Agents that spend for you' })
  for (const shown of ['4,000 TOK', '6,000 TOK', '39.00 USDC']) await card.getByText(shown).waitFor()
  expect(await findAxeViolations(page), 'light').toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAxeViolations(page, 'colors'), 'dark').toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await card.getByRole('button', { name: 'Revoke' }).click()
  await sign()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await card.getByText('It has ended').waitFor()
  const left = await client.readContract({ ...token, functionName: 'allowance', args: [address, paymentGateway] })
  expect(left).toBe(0n)
  // It is kept in this browser until its owner removes it.
  await page.reload()
  await card.getByRole('button', { name: 'Remove from this list' }).click()
  await card.waitFor({ state: 'detached' })
  await context.close()
})

/** What a person types for a value. */
function formatTyped(part: string, value: unknown): string {
  if (part.endsWith('TokWei')) return formatAmount(BigInt(String(value)), 'tok')
  if (part.endsWith('Usdc')) return formatAmount(BigInt(String(value)), 'usdc')
  if (part === 'workerBps' || part === 'shareBps') return `${Number(value) / 100} %`
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

async function buildTypedInput(action: AnyAction, { by, job, input = {} }: Case): Promise<Record<string, unknown>> {
  if (!job || !('taskId' in action.input.shape)) return encodeActionInput(action, input)
  const [context] = await readTaskContexts(scene, [job.id], [by.address, accounts.keeper.address])
  const terms = (await readTermsByTask(scene)).get(job.id)
  if (!context || !terms) throw new Error('no task')
  return encodeActionInput(action, {
    ...(await buildFullInput(scene, { action, context, terms, wallet: by.address })),
    ...input,
  })
}
