import { createProvider, createRpc, createViemChain, type Provider, readDisputes, readTasks } from '@svc/chain'
import { countTasks, type Devnet, type Scene } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { buildTaskContext } from '@svc/protocol/actions'
import { encodeAction, getContract } from '@svc/protocol/internal/actions'
import { findNextMoment, listDueSteps } from '@svc/protocol/internal/steps'
import { liveStates } from '@svc/protocol/internal/tasks'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { StuckWorld } from './stuckWorld.ts'

/** The state of both markets at the head: running tasks, what can be called, and when time changes something. */
interface MarketState {
  running: number
  /** The calls that would succeed now. */
  callable: number
  next: number | null
}

/** Mines blocks and moves the clock. */
export interface Clock {
  /** Mines one block, two seconds after the last. */
  mine: () => Promise<void>
  /** Mines a block at this time. */
  jumpTo: (time: number) => Promise<void>
}

const live = new Set<string>(liveStates)

/** Takes over mining: transactions wait in the pool until the clock mines. */
export async function takeClock({ client }: Devnet): Promise<Clock> {
  await client.setAutomine(false)
  const mineAt = async (timestamp: number) => {
    await client.request<EvmMine>({ method: 'evm_mine', params: [{ timestamp }] })
  }
  const getTime = async () => Number((await client.getBlock()).timestamp)
  return {
    mine: async () => mineAt((await getTime()) + 2),
    jumpTo: async (time) => mineAt(Math.max(time, (await getTime()) + 1)),
  }
}

type EvmMine = { Method: 'evm_mine'; Parameters: [{ timestamp: number }]; ReturnType: string }

/** Reads what is left to do, independently of the keeper's own bookkeeping. */
async function readMarketState({ devnet, scenes }: StuckWorld): Promise<MarketState> {
  const rpc = createRpc({ name: 'anvil', url: devnet.rpcUrl })
  const provider = createProvider(rpc, createViemChain(devnet.deployments.chainId))
  const state: MarketState = { running: 0, callable: 0, next: null }
  for (const market of markets) {
    const { running, calls, next } = await readScene(provider, scenes[market])
    state.running += running
    for (const { to, data } of calls) {
      const succeeds = await devnet.client.call({ account: zeroAddress, to, data }).then(
        () => true,
        () => false,
      )
      if (succeeds) state.callable++
    }
    if (next !== null) state.next = Math.min(next, state.next ?? next)
  }
  return state
}

async function readScene(provider: Provider, scene: Scene) {
  const { client, contracts, market } = scene
  const { number, timestamp } = await client.getBlock()
  const now = Number(timestamp)
  const count = Number(await countTasks(scene))
  const calls: { to: Address; data: Hex }[] = []
  let [running, next]: [number, number | null] = [0, null]
  for (let first = 1; first <= count; first += 100) {
    const numbers = Array.from({ length: Math.min(100, count - first + 1) }, (_, index) => BigInt(first + index))
    const tasks = await readTasks(provider, contracts, numbers, { number })
    const disputes = new Map(
      (await readDisputes(provider, contracts, numbers, { number })).map((each) => [each.number, each]),
    )
    for (const task of tasks.filter(({ state }) => live.has(state))) {
      running++
      const id = { market, number: task.number }
      const dispute = disputes.get(task.number) ?? null
      const [step] = listDueSteps(buildTaskContext(id, task, dispute), now)
      const moment = findNextMoment(id, task, dispute, now)
      if (moment !== null) next = Math.min(moment, next ?? moment)
      if (!step) continue
      calls.push({
        to: getContract(contracts, step.action.contract),
        data: encodeAction(step.action, step.derived, contracts),
      })
    }
  }
  return { running, calls, next }
}

export interface DriveOptions {
  /** Called before every block, for example to kill a keeper. */
  onBlock?: () => Promise<void> | void
  /** How long to wait for a transaction while something can be called. */
  patienceMs?: number
}

/**
 * Lets time pass until no task runs any more: mines while something can be called, and otherwise jumps to the next moment.
 * Only keepers act. Throws if they leave something undone.
 */
export async function driveToRest(world: StuckWorld, clock: Clock, options: DriveOptions = {}): Promise<void> {
  const { onBlock, patienceMs = 60_000 } = options
  const { client } = world.devnet
  for (;;) {
    const state = await readMarketState(world)
    if (state.running === 0) return
    await onBlock?.()
    if (state.callable > 0) {
      await waitForTransactions(world.devnet, patienceMs, state)
      await clock.mine()
    } else {
      const now = Number((await client.getBlock()).timestamp)
      await clock.jumpTo((state.next ?? now) + 1)
    }
  }
}

/** Waits until the pool has a transaction that the next block can include. */
async function waitForTransactions({ client }: Devnet, patienceMs: number, state: MarketState): Promise<void> {
  const end = Date.now() + patienceMs
  while ((await client.getTxpoolStatus()).pending === 0) {
    if (Date.now() > end) throw new Error(`No keeper acts: ${JSON.stringify(state)}`)
    await new Promise((done) => setTimeout(done, 5))
  }
}
