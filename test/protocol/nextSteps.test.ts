import { accounts, advanceTime, createScene, type DemoTask, type Devnet, type Scene, sendCall } from '@svc/devnet'
import { markets, type TaskTerms } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import {
  type AnyAction,
  actionList,
  buildCalls,
  type Call,
  listNextSteps,
  type TaskContext,
} from '@svc/protocol/actions'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { buildFullInput, readTermsByTask } from './buildFullInput.ts'
import { readTaskContexts } from './readTaskContext.ts'

const day = 24 * 60 * 60
/** Simulations change nothing on chain, so signatures can be reused. */
const signatures = new Map<string, Promise<Hex>>()
const taskActions = actionList.filter(({ operation, input }) => operation && 'taskId' in input.shape)
let devnet: Devnet
let demoTasks: DemoTask[]
beforeAll(async () => {
  ;({ devnet, tasks: demoTasks } = await startDemoWorld())
})
afterAll(() => devnet?.stop())

// A wallet without funds, one without a deposit, an idle arbitrator, and a worker with a deposit.
const strangers = [accounts.keeper, accounts.newcomer, accounts.olga, accounts.ivo].map(({ address }) => address)

test.each([
  ['as seeded', () => {}],
  ['with entries paused', () => setPause('pauseEntries')],
  ['open again, a day later', () => setPause('unpauseEntries').then(() => advanceTime(devnet.client, day))],
  ['five days later', () => advanceTime(devnet.client, 4 * day)],
  ['a month later', () => advanceTime(devnet.client, 30 * day)],
] as const)('exactly the offered actions succeed: %s', async (_, change) => {
  await change()
  let offered = 0
  let refused = 0
  for (const market of markets) {
    const scene = createScene(devnet.client, devnet.deployments, market)
    const ids = demoTasks.filter((task) => task.market === market).map(({ taskId }) => taskId)
    const terms = await readTermsByTask(scene)
    const everybody = Object.values(accounts).map(({ address }) => address)
    for (const context of await readTaskContexts(scene, ids, everybody)) {
      const of = terms.get(context.taskId.number)
      if (!of) throw new Error('terms missing')
      for (const wallet of involved(context)) {
        const counts = await compare(scene, context, of, wallet)
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
    await sendCall(devnet.client, accounts.guardian, {
      address,
      abi: taskRegistryAbi,
      functionName,
      args: [],
    })
  }
}

function involved({ task, dispute }: TaskContext): Address[] {
  const judges = [dispute?.judge, dispute?.named, dispute?.posterProposal, dispute?.workerProposal]
  const wallets = [task.poster, task.worker, ...judges, accounts.court.address, ...strangers]
  return [...new Set(wallets)].filter((wallet): wallet is Address => Boolean(wallet))
}

async function compare(scene: Scene, context: TaskContext, terms: TaskTerms, wallet: Address) {
  const now = Number((await scene.client.getBlock()).timestamp) + 1
  const steps = listNextSteps(context, wallet, now)
  const counts = { offered: 0, refused: 0 }
  const tryAction = async (action: AnyAction) => {
    const step = steps.find((each) => each.action === action)
    const given = await buildFullInput(scene, { action, context, terms, wallet, signatures })
    const input = { ...given, ...step?.derived }
    const calls = buildCalls(action, input, {
      from: wallet,
      contracts: scene.contracts,
      ...(step && { cost: step.cost }),
    })
    const went = await goesThrough(scene, wallet, calls, now)
    const where = `${scene.market} ${context.taskId.number} ${context.task.state} ${context.dispute?.phase}: ${action.name} by ${wallet}`
    expect({ where, went }).toEqual({ where, went: step !== undefined })
    if (step) {
      counts.offered++
      expect(Object.keys(input).sort(), where).toEqual(
        [...new Set([...Object.keys(step.derived), ...step.required])].sort(),
      )
      if (step.until !== null) expect(step.until, where).toBeGreaterThanOrEqual(now)
    } else counts.refused++
  }
  // Simulations change nothing, so they can run in parallel.
  await Promise.all(taskActions.map(tryAction))
  return counts
}

/** Simulates the calls one after another in the next block, at `now`. Returns whether all succeed. */
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
