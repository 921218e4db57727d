import { accounts, createScene, type Scene, setUpMarkets } from '@svc/devnet'
import { formatAmount } from '@svc/protocol'
import { type AnyAction, encodeActionInput } from '@svc/protocol/actions'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorldOptions } from '../harness/indexed.ts'
import type { SiteStack } from '../harness/site.ts'
import { buildFullInput, readTermsByTask } from '../protocol/buildFullInput.ts'
import { type Case, cases, ownActions } from '../protocol/cases.ts'
import { readTaskContexts } from '../protocol/readTaskContext.ts'
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
