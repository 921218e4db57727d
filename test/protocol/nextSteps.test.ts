import { accounts, createScene, type Devnet, type Scene, send, type Told, warp } from '@svc/devnet'
import { markets, type TaskTerms } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { actions, type Call, callsOf, nextSteps, type Standing } from '@svc/protocol/actions'
import { type Address, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { bring, readTerms } from './bring.ts'
import { readStandings } from './readStanding.ts'

const day = 24 * 60 * 60
const taskActions = actions.filter(({ operation, input }) => operation && 'taskId' in input.shape)
let devnet: Devnet
let told: Told[]
beforeAll(async () => {
  ;({ devnet, told } = await startDemoWorld())
})
afterAll(() => devnet?.stop())

// A wallet without anything, one with money and no deposit, an arbitrator with nothing to do, a worker with a deposit.
const strangers = [accounts.keeper, accounts.newcomer, accounts.olga, accounts.ivo].map(({ address }) => address)

test.each([
  ['as seeded', () => {}],
  ['with entries paused', () => setPause('pauseEntries')],
  ['open again, a day later', () => setPause('unpauseEntries').then(() => warp(devnet.client, day))],
  ['five days later', () => warp(devnet.client, 4 * day)],
  ['a month later', () => warp(devnet.client, 30 * day)],
] as const)('what is offered goes through and nothing else does: %s', async (_, change) => {
  await change()
  let offered = 0
  let refused = 0
  for (const market of markets) {
    const scene = createScene(devnet.client, devnet.deployments, market)
    const ids = told.filter((tale) => tale.market === market).map(({ taskId }) => taskId)
    const terms = await readTerms(scene)
    const everybody = Object.values(accounts).map(({ address }) => address)
    for (const standing of await readStandings(scene, ids, everybody)) {
      const of = terms.get(standing.taskId.number)
      if (!of) throw new Error('terms missing')
      for (const wallet of involved(standing)) {
        const counts = await compare(scene, standing, of, wallet)
        offered += counts.offered
        refused += counts.refused
      }
    }
  }
  console.log(`next steps: ${offered} offered and went through, ${refused} not offered and were refused`)
  expect(offered).toBeGreaterThan(100)
  expect(refused).toBeGreaterThan(1_000)
})

async function setPause(functionName: 'pauseEntries' | 'unpauseEntries'): Promise<void> {
  for (const market of markets) {
    const address = devnet.deployments.markets[market].taskRegistry
    await send(devnet.client, accounts.guardian, {
      address,
      abi: taskRegistryAbi,
      functionName,
      args: [],
    })
  }
}

function involved({ task, dispute }: Standing): Address[] {
  const panel = dispute?.panel.map(({ arbitrator }) => arbitrator) ?? []
  return [...new Set([task.poster, ...(task.worker ? [task.worker] : []), ...panel, ...strangers])] as Address[]
}

async function compare(scene: Scene, standing: Standing, terms: TaskTerms, wallet: Address) {
  const now = Number((await scene.client.getBlock()).timestamp) + 1
  const steps = nextSteps(standing, wallet, now)
  const counts = { offered: 0, refused: 0 }
  for (const action of taskActions) {
    const step = steps.find((each) => each.action === action)
    const input = { ...(await bring(scene, { action, standing, terms, wallet })), ...step?.known }
    const calls = callsOf(action, input, { from: wallet, contracts: scene.contracts, ...(step && { cost: step.cost }) })
    const went = await goesThrough(scene, wallet, calls, now)
    const where = `${scene.market} ${standing.taskId.number} ${standing.task.state} ${standing.dispute?.phase}: ${action.name} by ${wallet}`
    expect({ where, went }).toEqual({ where, went: step !== undefined })
    if (step) {
      counts.offered++
      expect(Object.keys(input).sort(), where).toEqual([...new Set([...Object.keys(step.known), ...step.needs])].sort())
      if (step.until !== null) expect(step.until, where).toBeGreaterThanOrEqual(now)
    } else counts.refused++
  }
  return counts
}

/** Whether all calls succeed one after the other in the next block, `now`. Nothing is kept. */
async function goesThrough({ client }: Scene, from: Address, calls: readonly Call[], now: number): Promise<boolean> {
  const [block] = await client.request<Simulate>({
    method: 'eth_simulateV1',
    params: [
      {
        blockStateCalls: [
          {
            blockOverrides: { time: numberToHex(now) },
            calls: calls.map(({ to, data }) => ({ from, to, data, gas: '0x4c4b40' })),
          },
        ],
      },
      'latest',
    ],
  })
  return block.calls.every(({ status }) => status === '0x1')
}

type Simulate = {
  Method: 'eth_simulateV1'
  Parameters: [unknown, 'latest']
  ReturnType: readonly [{ calls: readonly { status: string }[] }]
}
