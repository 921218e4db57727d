import type { PreparedJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import type { Random } from '@svc/simulation/random'
import { type Address, erc20Abi, type Hex, type Log, parseEventLogs } from 'viem'
import type { PlannedAction } from './chooseAction.ts'
import { type HttpClient, jsonPost } from './httpClient.ts'
import type { PlannedChain, Signed } from './plannedChain.ts'
import type { Services } from './services.ts'
import { describePlannedAction, type GatewayRequest, type SurfaceName, type Surfaces } from './surfaces.ts'
import type { Tally } from './tally.ts'
import type { TaskRun } from './taskRun.ts'

export interface ExecutorOptions {
  chain: PlannedChain
  services: Services
  surfaces: Surfaces
  http: HttpClient
  tally: Tally
  random: Random
  /** Runs work that need not finish before the next block. */
  background: (work: Promise<void>) => void
}

/** Prepares each action with a random surface, signs and mines all of them in one block, and compares the result with the simulation. */
export type ExecuteActions = (
  actions: readonly PlannedAction[],
  queries?: readonly (() => Promise<void>)[],
) => Promise<void>

/** An action with the calls that a surface prepared for it. */
interface PreparedAction {
  planned: PlannedAction
  prepared: PreparedJson
  request: GatewayRequest | null
}

/** How often each surface is picked. */
const surfaceWeights: readonly SurfaceName[] = [
  'api',
  'api',
  'api',
  'api',
  'gateway',
  'gateway',
  'gateway',
  'svc-prepare',
  'direct',
]

export function createActionExecutor(options: ExecutorOptions): ExecuteActions {
  const { chain, services, surfaces, http, tally, random, background } = options

  const prepare = async (planned: PlannedAction, name: SurfaceName): Promise<PreparedAction> => {
    const known = surfaces.requests.length
    const prepared = await surfaces.prepare(name, planned)
    const request =
      name === 'gateway'
        ? (surfaces.requests.slice(known).findLast(({ from }) => from === planned.by.address) ?? null)
        : null
    tally.count('actions', planned.action.name)
    tally.count('prepared by', name)
    const { simulation } = prepared
    if (simulation.status !== 'succeeds') {
      tally.fail(
        `The tables allow ${describePlannedAction(planned)} by ${planned.by.address}, but its simulation returned ${JSON.stringify(simulation)}`,
      )
    }
    return { planned, prepared, request }
  }

  /** A wallet's balances, by the names that a simulation uses for them. */
  const readFunds = async ({ by, run, input }: PlannedAction) => {
    const market = (run?.market ?? input.market) as Market
    const { shared, markets: places } = chain.deployments
    const { depositVault } = places[market]
    const [tok, usdc, deposit, free] = await chain.client.multicall({
      allowFailure: false,
      contracts: [
        { address: shared.tokToken, abi: erc20Abi, functionName: 'balanceOf', args: [by.address] },
        { address: shared.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [by.address] },
        { address: depositVault, abi: depositVaultAbi, functionName: 'balanceOf', args: [by.address] },
        { address: depositVault, abi: depositVaultAbi, functionName: 'freeOf', args: [by.address] },
      ],
    })
    return { 'TOK in the wallet': tok, 'USDC in the wallet': usdc, deposit, 'deposit not reserved': free }
  }

  /** Compares balances with what the simulation promised, and reports the transaction to the services that need it. */
  const checkOutcomes = async (
    ready: readonly PreparedAction[],
    signed: readonly Signed[],
    before: readonly Record<string, bigint>[],
  ) => {
    let at = 0
    for (const [index, { planned, prepared, request }] of ready.entries()) {
      at += prepared.calls.length
      const hash = signed[at - 1]?.hash ?? '0x'
      const receipt = await chain.client.getTransactionReceipt({ hash })
      if (receipt.status !== 'success')
        tally.fail(`${describePlannedAction(planned)} by ${planned.by.address} failed in block ${receipt.blockNumber}.`)
      const { run } = planned
      if (run && run.number === null && receipt.status === 'success') run.number = findTaskNumber(receipt.logs)
      const after = await readFunds(planned)
      for (const [what, amount] of Object.entries(after)) {
        const change =
          prepared.simulation.status === 'succeeds'
            ? prepared.simulation.changes.find((each) => each.what === what)
            : null
        const promised = change ? BigInt(change.after) : before[index]?.[what]
        tally.count('promises', 'held')
        if (promised !== amount)
          tally.fail(`${describePlannedAction(planned)}: ${what} should be ${promised} but is ${amount}.`)
      }
      if (request) background(surfaces.reportSubmitted(request, hash))
      if (planned.action.name === 'buy-plan') background(applyPlan(planned, hash))
      if (planned.action.name === 'post-task' && run?.number && random.chance(0.7)) background(recordPost(run, hash))
    }
  }

  /** Records a post, as a client does once it is mined. */
  const recordPost = async ({ market, number, poster, terms }: TaskRun, txHash: Hex) => {
    const total = terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
    const body = {
      address: poster.address,
      taskId: `v2:${market}:${number}`,
      txHash,
      taskAmountTok: String(total),
      market,
    }
    const urls = services.apiUrls.map((url) => `${url}/api/posting/record`)
    // A reorganisation may remove the post. The API then never finds it.
    await http.requestUntil('api', urls, jsonPost(body), ({ status }) => [200, 409, 422].includes(status))
  }

  /** Applies a plan that was paid for. */
  const applyPlan = async ({ input }: PlannedAction, txHash: Hex) => {
    const { beneficiary: address, tier, payWith, market } = input
    const urls = services.apiUrls.map((url) => `${url}/api/posting/upgrade`)
    const body = jsonPost({ address, tier, payWith, market, txHash })
    await http.requestUntil('api', urls, body, ({ status }) => [200, 409, 422].includes(status))
  }

  return async (actions, queries = []) => {
    const chosenSurfaces = actions.map(() => random.pick(surfaceWeights))
    const asked = Promise.all(queries.map((ask) => ask()))
    const ready = await Promise.all(actions.map((planned, index) => prepare(planned, chosenSurfaces[index] ?? 'api')))
    await asked
    const before = await Promise.all(ready.map(({ planned }) => readFunds(planned)))
    const drafts = ready.flatMap(({ planned, prepared }) =>
      prepared.calls.map(({ to, data }) => ({ by: planned.by, to: to as Address, data: data as Hex })),
    )
    await checkOutcomes(ready, await chain.mine(drafts), before)
  }
}

function findTaskNumber(logs: Log[]): bigint | null {
  const [log] = parseEventLogs({ abi: taskRegistryAbi, eventName: ['TaskPosted', 'TaskCreated'], logs })
  return log?.args.taskId ?? null
}
