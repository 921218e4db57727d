import {
  atHead,
  type Deployments,
  getStanding,
  type MarketPlaces,
  type MarketReader,
  type Providers,
  readPurse,
  type Simulation,
  signingContext,
  simulateCalls,
} from '@svc/chain'
import {
  accessFee,
  actionCredit,
  entryDeposit,
  formatAmount,
  formatTime,
  marketParams,
  settlementDigest,
  type TaskId,
  taskReserve,
} from '@svc/protocol'
import { callsOf, type Standing } from '@svc/protocol/actions'
import type { CheckJson } from '@svc/protocol/http'
import { type Address, formatUnits, type Hex, isAddressEqual } from 'viem'
import { actionNamed } from '../requests/requests.ts'

export interface ReadinessDeps {
  providers: Providers
  places: MarketPlaces
  deployments: Deployments
  reader: Pick<MarketReader, 'getTask'>
}

/** The digest of a task's terms with this worker in them; null for a task that does not exist. */
export async function digestFor(
  { reader, deployments }: ReadinessDeps,
  taskId: TaskId,
  worker: Address,
): Promise<Hex | null> {
  const { detail } = await reader.getTask(taskId.market, taskId.number)
  return detail && settlementDigest(signingContext(deployments, taskId.market), detail.terms, worker)
}

/** All that a claim of this wallet needs, read at one block, and what the chain would say to it; null for no such task. */
export async function checkReadiness(
  deps: ReadinessDeps,
  taskId: TaskId,
  wallet: Address,
): Promise<CheckJson[] | null> {
  const digest = await digestFor(deps, taskId, wallet)
  if (!digest) return null
  const contracts = deps.places.markets[taskId.market]
  const { standing, simulation, block } = await atHead(deps.providers, async (provider, at) => {
    const [standing, purse] = await Promise.all([
      getStanding(provider, contracts, taskId, [wallet], at),
      readPurse(provider, contracts, wallet, at),
    ])
    const calls = callsOf(
      actionNamed('claim-task'),
      { taskId, settlementDigest: digest },
      { from: wallet, contracts, purse },
    )
    return { standing, simulation: await simulateCalls(provider, contracts, { from: wallet, calls, block: at }) }
  })
  return standing && checksOf(standing, simulation, wallet, block.timestamp)
}

function checksOf(standing: Standing, simulation: Simulation, wallet: Address, now: number): CheckJson[] {
  const { task, taskId, entriesPaused, account } = standing
  const { claimCutoff, baseClaims } = marketParams[taskId.market]
  const { deposit, free, liveClaims, tok, credits } = account(wallet)
  const slots = deposit < entryDeposit ? 0 : baseClaims + Number((deposit - entryDeposit) / taskReserve)
  const lastMoment = task.claimDeadline - claimCutoff
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
      !entriesPaused,
      entriesPaused ? 'entries are paused' : 'entries are open',
      'entries are open',
    ),
    check('not-poster', !isAddressEqual(wallet, task.poster as Address), wallet, `any wallet but ${task.poster}`),
    check(
      'claim-policy',
      task.claimPolicy !== 'PERMIT',
      task.claimPolicy,
      'a task that anyone may claim; with a permit of the poster, prepare claim-task at /v1/requests',
    ),
    check('deposit', deposit >= entryDeposit, formatAmount(deposit, 'usdc'), formatAmount(entryDeposit, 'usdc')),
    check(
      'reserve',
      free >= taskReserve,
      formatAmount(free, 'usdc'),
      `${formatAmount(taskReserve, 'usdc')} not reserved`,
    ),
    check('live-claims', liveClaims < slots, `${liveClaims} live`, `fewer than ${slots}`),
    check(
      'access-fee',
      credits >= actionCredit || tok >= accessFee,
      `${formatAmount(tok, 'tok')}, ${formatUnits(credits, 18)} Action Credits`,
      `${formatAmount(accessFee, 'tok')}, or one Action Credit`,
    ),
    check('simulation', simulation.status !== 'refused', verdictOf(simulation), 'the chain would take the claim'),
  ]
}

function verdictOf(simulation: Simulation): string {
  if (simulation.status === 'refused') return `${simulation.error.message} ${simulation.error.wayOut}`
  return simulation.status === 'succeeds' ? 'the chain would take the claim' : 'this provider cannot tell'
}
