import {
  createSigningContext,
  type Deployments,
  getTaskContext,
  type MarketDeployment,
  type MarketReader,
  type PreparedAction,
  type Providers,
  prepareActionJson,
  readAtHead,
  readWalletBalances,
  type Simulation,
  SwapRefusedError,
  simulateCalls,
} from '@svc/chain'
import type { CheckJson } from '@svc/operations'
import { computeSettlementDigest, formatTaskId, formatTime, marketParams, type TaskId } from '@svc/protocol'
import { actions, buildCalls, computeCost, type TaskContext } from '@svc/protocol/actions'
import { describePrice, getPrice } from '@svc/protocol/internal/actions'
import { actionCredit, formatShortAmount } from '@svc/protocol/internal/money'
import { type Address, type Hex, isAddressEqual } from 'viem'

export interface ReadinessDeps {
  providers: Providers
  places: MarketDeployment
  deployments: Deployments
  reader: Pick<MarketReader, 'getTaskSummary'>
}

/** Computes the digest of a task's terms with this worker filled in; null if the task does not exist. */
export async function computeClaimDigest(
  { reader, deployments }: ReadinessDeps,
  taskId: TaskId,
  worker: Address,
): Promise<Hex | null> {
  const { detail } = await reader.getTaskSummary(taskId.market, taskId.number)
  return detail && computeSettlementDigest(createSigningContext(deployments, taskId.market), detail.terms, worker)
}

/** Checks everything that a claim by this wallet needs, at one block, and simulates the claim; null if the task does not exist. */
export async function checkReadiness(
  deps: ReadinessDeps,
  taskId: TaskId,
  wallet: Address,
): Promise<CheckJson[] | null> {
  const digest = await computeClaimDigest(deps, taskId, wallet)
  if (!digest) return null
  const contracts = deps.places.markets[taskId.market]
  const { context, simulation, block } = await readAtHead(deps.providers, async (provider, at) => {
    const [context, balances] = await Promise.all([
      getTaskContext(provider, contracts, taskId, [wallet], at),
      readWalletBalances(provider, contracts, wallet, at),
    ])
    const input = { taskId, settlementDigest: digest }
    const cost = computeCost(actions['claim-task'], input, { from: wallet })
    const calls = buildCalls(actions['claim-task'], input, { from: wallet, contracts, balances, cost })
    return {
      context,
      simulation: await simulateCalls(provider, contracts, {
        market: taskId.market,
        from: wallet,
        calls,
        block: at,
        cost,
      }),
    }
  })
  const checks = context && listChecks(context, simulation, wallet, block.timestamp)
  if (!checks || !contracts.swap || checks.every(({ ok }) => ok)) return checks
  return checkPurchase(deps, { taskId, digest, wallet, checks })
}

/** The checks that USDC can cure, where there is a pool to buy TOK in. */
const curable: readonly CheckJson['name'][] = ['deposit', 'tok', 'simulation']

interface Purchase {
  taskId: TaskId
  digest: Hex
  wallet: Address
  checks: CheckJson[]
}

/** With a pool, USDC is enough: the same batch tops up the deposit, buys the TOK that is missing, and claims. */
async function checkPurchase(
  { providers, places }: ReadinessDeps,
  { taskId, digest, wallet, checks }: Purchase,
): Promise<CheckJson[]> {
  const bought = await prepareActionJson(providers, places, {
    action: actions['claim-task'],
    input: { taskId: formatTaskId(taskId), settlementDigest: digest },
    from: wallet,
    payFrom: 'usdc',
  }).catch((error: Error) => {
    if (error instanceof SwapRefusedError) return null
    throw error
  })
  if (!bought?.total) return checks
  const inAll = `${formatShortAmount(BigInt(bought.total.mostUsdc), 'usdc', 'up')} in all pay for what is missing`
  const isEnough = bought.simulation.status !== 'refused'
  return checks.map((check) => {
    if (!curable.includes(check.name)) return check
    if (check.name === 'simulation') {
      return { ...check, ok: isEnough, have: describeSimulation(bought.simulation) }
    }
    return check.ok ? check : { ...check, ok: isEnough, need: `${check.need.replace(/\.$/, '')}; or ${inAll}` }
  })
}

function listChecks(context: TaskContext, simulation: Simulation, wallet: Address, now: number): CheckJson[] {
  const { task, taskId, entriesPaused, sunsetAt, account } = context
  const { claimCutoff } = marketParams[taskId.market]
  const { free, tok, credits } = account(wallet)
  const price = getPrice('claim-task', 'worker')
  const needed = (credits >= actionCredit ? 0n : price.feeTokWei) + price.exitDepositTokWei
  const lastMoment = task.claimDeadline - claimCutoff
  const haveEnded = sunsetAt !== 0 && now >= sunsetAt
  const check = (name: CheckJson['name'], ok: boolean, have: string, need: string): CheckJson => ({
    name,
    ok,
    have,
    need,
  })
  return [
    check(
      'task-open',
      task.state === 'POSTED' && task.scope === 'OPEN',
      `${task.state}, ${task.scope}`,
      'POSTED, OPEN',
    ),
    check('claim-deadline', now <= lastMoment, formatTime(now), `until ${formatTime(lastMoment)}`),
    check(
      'entries-open',
      !entriesPaused && !haveEnded,
      haveEnded ? 'entries have ended' : entriesPaused ? 'entries are paused' : 'entries are open',
      'entries are open',
    ),
    check('not-poster', !isAddressEqual(wallet, task.poster as Address), wallet, `any wallet but ${task.poster}`),
    check(
      'claim-policy',
      task.claimPolicy !== 'PERMIT',
      task.claimPolicy,
      'a task that anyone may claim; with a permit of the poster, prepare claim-task at /v1/requests',
    ),
    check(
      'deposit',
      free >= price.requiredUsdc,
      formatShortAmount(free, 'usdc'),
      `${formatShortAmount(price.requiredUsdc, 'usdc', 'up')} not reserved`,
    ),
    check(
      'tok',
      tok >= needed,
      `${formatShortAmount(tok, 'tok')}${credits >= actionCredit ? ' and an Action Credit' : ''}`,
      `${formatShortAmount(needed, 'tok', 'up')}. ${describePrice(price).join(' ')}`,
    ),
    check(
      'simulation',
      simulation.status !== 'refused',
      describeSimulation(simulation),
      'the chain would take the claim',
    ),
  ]
}

function describeSimulation(simulation: Simulation | PreparedAction['simulation']): string {
  if (simulation.status === 'refused') return `${simulation.error.message} ${simulation.error.wayOut}`
  return simulation.status === 'succeeds' ? 'the chain would take the claim' : 'this provider cannot tell'
}
