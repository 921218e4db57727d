import { getLogs, type MarketReader, type Provider, toViemLog } from '@svc/chain'
import { markets } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { createRandom } from '@svc/simulation/random'
import { type Address, type Hex, type LocalAccount, parseEventLogs } from 'viem'
import { waitUntil } from '../shared/replica.ts'
import { createActionExecutor } from './actionExecutor.ts'
import type { CheckNextSteps } from './checkNextSteps.ts'
import { type ChooseContext, chooseAction, type PlannedAction } from './chooseAction.ts'
import { type Disruption, planDisruptions } from './disruptions.ts'
import type { HttpClient } from './httpClient.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Services } from './services.ts'
import type { Surfaces } from './surfaces.ts'
import type { Tally } from './tally.ts'
import type { TaskRun } from './taskRun.ts'
import { drawWalletAction } from './walletActions.ts'
import { withdrawAll, withdrawsAtEnd } from './withdrawAll.ts'

export interface RunTasksOptions {
  seed: number
  /** Blocks with one second each, before the clock jumps. */
  seconds: number
  runs: readonly TaskRun[]
  context: ChooseContext
  /** The wallets that may withdraw everything at the end. */
  everyWallet: readonly LocalAccount[]
  chain: PlannedChain
  services: Services
  surfaces: Surfaces
  checkNextSteps: CheckNextSteps
  /** Reads straight from the chain, without faults. */
  direct: MarketReader
  http: HttpClient
  tally: Tally
}

/** The most actions in one block. */
const maxActionsPerBlock = 4
/** More blocks than the longest lifecycle takes. */
const maxLateBlocks = 6_000

/** A killed keeper needs some seconds to start again on a busy machine. */
const keeperMs = 120_000

/** Runs every task to its end, block by block, with the disruptions of the seed. */
export async function runTasks(options: RunTasksOptions): Promise<{ reorgs: number; deepest: number }> {
  const { seed, seconds, runs, context, chain, services, checkNextSteps, direct, tally } = options
  const { provider, wallets } = context
  const random = createRandom(seed, 3)
  const disruptions = planDisruptions(createRandom(seed, 4), seconds, services.names)
  const pendingWork = new Set<Promise<void>>()
  const counts = { reorgs: 0, deepest: 0 }
  const background = (work: Promise<void>) => {
    const tracked = work
      .catch((error: Error) => tally.fail(error.stack ?? error.message))
      .finally(() => pendingWork.delete(tracked))
    pendingWork.add(tracked)
  }

  const disrupt = async (disruption: Disruption) => {
    if (disruption.kind === 'kill') return background(services.kill(disruption.name))
    if (disruption.kind === 'killDatabase') return background(services.killDatabase())
    if (disruption.kind === 'killFolder') return background(services.store.killFolder())
    const { depth, loss, isLate } = disruption
    const dropped = await chain.reorganise(depth, () => !random.chance(loss), isLate)
    counts.reorgs++
    counts.deepest = Math.max(counts.deepest, depth)
    tally.count('reorgs', `${depth}`)
    for (let each = 0; each < dropped; each++) tally.count('transactions', 'lost in reorganisations')
    await findTaskNumbers(runs, chain, provider)
  }

  /** Chooses and executes the actions that are due. No two actions of a block touch the same wallet. */
  const step = async (due: readonly TaskRun[], isLate: boolean) => {
    const touched = new Set<Address>()
    const actions: PlannedAction[] = []
    const questions: (() => Promise<void>)[] = []
    if (!isLate && random.chance(0.1)) actions.push(await drawWalletAction(random, wallets, direct, chain))
    for (const wallet of actions.flatMap(({ touches }) => touches)) touched.add(wallet)
    for (const run of due) {
      if (actions.length >= maxActionsPerBlock) break
      if ([run.poster, ...run.workers].some(({ address }) => touched.has(address))) continue
      const choice = await chooseAction(run, context, isLate)
      if ('wakeAt' in choice) {
        if (choice.isKeepersTurn && isLate) await awaitKeeper()
        run.due = isLate ? choice.wakeAt : Math.max(choice.wakeAt, chain.head().timestamp + 5)
        continue
      }
      const { planned, context: taskContext } = choice
      if (planned.touches.some((wallet) => touched.has(wallet))) continue
      for (const wallet of planned.touches) touched.add(wallet)
      actions.push(planned)
      if (taskContext && random.chance(0.15)) questions.push(() => checkNextSteps(planned, taskContext))
      run.due = chain.head().timestamp + 1 + (isLate ? 0 : run.random.below(30))
    }
    await executeActions(actions, questions)
  }

  let isKeeperDown = false
  /** Waits until a keeper has sent a call. Now and then it is killed meanwhile. */
  const awaitKeeper = async () => {
    tally.count('keeper', 'turns')
    if (!isKeeperDown && random.chance(0.3)) {
      isKeeperDown = true
      background(
        services.kill('keeper').finally(() => {
          isKeeperDown = false
        }),
      )
    }
    await waitUntil('the keeper acts', keeperMs, async () => (await chain.client.getTxpoolStatus()).pending > 0)
  }

  const executeActions = createActionExecutor({ ...options, random, background })

  services.setHonest(false)
  for (let second = 0; second < seconds; second++) {
    for (const disruption of disruptions.get(second) ?? []) await disrupt(disruption)
    const now = chain.head().timestamp
    await step(runs.filter(({ due, isOver }) => !isOver && due <= now).slice(0, 12), false)
  }
  for (let block = 0; block < maxLateBlocks; block++) {
    const live = runs.filter(({ isOver }) => !isOver)
    if (live.length === 0) break
    const now = chain.head().timestamp
    const due = live.filter((run) => run.due <= now)
    if (due.length > 0) await step(due.slice(0, 12), true)
    else await chain.mine([], Math.max(1, Math.min(...live.map((run) => run.due)) - now))
  }
  await withdrawAll(chain, options.everyWallet.filter(withdrawsAtEnd), executeActions)
  services.setHonest(true)
  await Promise.all(pendingWork)
  return counts
}

/** Looks up the task number of each run again: a reorganisation may have changed or removed it. */
async function findTaskNumbers(runs: readonly TaskRun[], chain: PlannedChain, { rpc }: Provider): Promise<void> {
  const numbers = new Map<Hex, bigint>()
  for (const market of markets) {
    const address = chain.deployments.markets[market].taskRegistry
    const logs = await getLogs(rpc, { address }, { from: 0n, to: chain.head().number })
    for (const { args } of parseEventLogs({
      abi: taskRegistryAbi,
      eventName: ['TaskPosted', 'TaskCreated'],
      logs: logs.map(toViemLog),
    })) {
      numbers.set(args.terms.criteriaHash, args.taskId)
    }
  }
  for (const run of runs) {
    run.number = numbers.get(run.terms.criteriaHash) ?? null
    if (!run.isOver) continue
    ;[run.isOver, run.due] = [false, chain.head().timestamp]
  }
}
