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
import { type Address, type Client, createClient, type Hex, http, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { runs } from '../harness/runs.ts'
import { buildFullInput, readTermsByTask } from './buildFullInput.ts'
import { readTaskContexts } from './readTaskContext.ts'

const day = 24 * 60 * 60
/** Simulations change nothing on chain, so signatures and hashes can be reused. */
const made = new Map<string, Promise<Hex>>()
const taskActions = actionList.filter(({ operation, input }) => operation && 'taskId' in input.shape)
let devnet: Devnet
let demoTasks: DemoTask[]
/** Sends the simulations of a task in few requests. */
let batching: Client
beforeAll(async () => {
  const { devnet: started, tasks } = await startDemoWorld()
  devnet = started
  batching = createClient({ transport: http(devnet.rpcUrl, { batch: { batchSize: 200 }, timeout: 120_000 }) })
  demoTasks = tasks.filter(({ scenario }) => countRepeats(scenario.name) <= runs(1))
})
afterAll(() => devnet?.stop())

/** Which repeat a task is. Offers and finished tasks are numbered: all of one kind are in the same state. */
const countRepeats = (name: string): number => Number(/^(?:offer|finished)(\d+)$/.exec(name)?.[1] ?? 0)

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
    const now = Number((await scene.client.getBlock()).timestamp) + 1
    const everybody = Object.values(accounts).map(({ address }) => address)
    for (const context of await readTaskContexts(scene, ids, everybody)) {
      const of = terms.get(context.taskId.number)
      if (!of) throw new Error('terms missing')
      // Simulations change nothing, so they can run in parallel.
      const counted = await Promise.all(
        involved(context).map((wallet) => compare(scene, { context, terms: of, wallet, now })),
      )
      for (const counts of counted) {
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

interface Compared {
  context: TaskContext
  terms: TaskTerms
  wallet: Address
  /** The time of the next block. */
  now: number
}

async function compare(scene: Scene, { context, terms, wallet, now }: Compared) {
  const steps = listNextSteps(context, wallet, now)
  const counts = { offered: 0, refused: 0 }
  const tryAction = async (action: AnyAction) => {
    const step = steps.find((each) => each.action === action)
    const given = await buildFullInput(scene, { action, context, terms, wallet, made })
    const input = { ...given, ...step?.derived }
    const calls = buildCalls(action, input, {
      from: wallet,
      contracts: scene.contracts,
      ...(step && { cost: step.cost }),
    })
    const went = await goesThrough(wallet, calls, now)
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
  await Promise.all(taskActions.map(tryAction))
  return counts
}

/** Simulates the calls one after another in the next block, at `now`. Returns whether all succeed. */
async function goesThrough(from: Address, calls: readonly Call[], now: number): Promise<boolean> {
  const [block] = await batching.request<Simulate>({
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
