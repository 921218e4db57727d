// What the chain says, read with viem from the contracts and their logs. Nothing here uses the readers, the index or the formats
// of the services, whose answers are compared with it.
import type { MarketContracts } from '@svc/chain'
import { accounts, type Devnet } from '@svc/devnet'
import { type Market, markets } from '@svc/protocol'
import {
  agreementsAbi,
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskLensAbi,
  taskRegistryAbi,
  taskScopeRegistryAbi,
} from '@svc/protocol/abis'
import { type Abi, type Address, type Hex, parseEventLogs, zeroAddress } from 'viem'

/** An event of a market, in the order of the chain. */
export interface EventFact {
  contract: string
  event: string
  args: Readonly<Record<string, unknown>>
  blockNumber: bigint
  logIndex: number
  timestamp: number
  transactionHash: Hex
}

export type MarketFacts = Awaited<ReturnType<typeof readMarketFacts>>
export type TaskFact = MarketFacts['tasks'][number]
export type AgentFact = MarketFacts['agents'][number]
export type ArbitratorFact = MarketFacts['arbitrators'][number]

/** Both markets at the newest block. */
export interface Facts extends Readonly<Record<Market, MarketFacts>> {
  block: { number: bigint; hash: Hex; timestamp: number }
}

/** Reads both markets. */
export async function readChainFacts(devnet: Devnet): Promise<Facts> {
  const { number, hash, timestamp } = await devnet.client.getBlock()
  const [standard, micro] = await Promise.all(markets.map((market) => readMarketFacts(devnet, market)))
  if (!standard || !micro) throw new Error('There are two markets.')
  return { block: { number, hash, timestamp: Number(timestamp) }, standard, micro }
}

const states = ['NONE', 'POSTED', 'CLAIMED', 'ACTIVE', 'DISPUTED', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'RESOLVED']
const milestoneStates = ['OPEN', 'DELIVERED', 'PAID', 'REFUNDED', 'SPLIT']

async function readMarketFacts({ client, deployments }: Devnet, market: Market) {
  const contracts = deployments.markets[market]
  const events = await readEvents(client, contracts)
  const lens = { address: contracts.taskLens, abi: taskLensAbi } as const
  const taskCount = await client.readContract({
    address: contracts.taskRegistry,
    abi: taskRegistryAbi,
    functionName: 'taskCount',
  })
  const numbers = Array.from({ length: Number(taskCount) }, (_, index) => BigInt(index + 1))
  const [views, disputes, params] = await Promise.all([
    client.readContract({ ...lens, functionName: 'tasksOf', args: [numbers] }),
    client.readContract({ ...lens, functionName: 'disputesOf', args: [numbers] }),
    client.readContract({ ...lens, functionName: 'params' }),
  ])
  const allowed = await Promise.all(
    numbers.map((number) =>
      client.readContract({
        address: contracts.taskRegistry,
        abi: taskRegistryAbi,
        functionName: 'allowedWorkerOf',
        args: [number],
      }),
    ),
  )
  const find = (number: bigint, names: readonly string[]) =>
    events.find(({ event, args }) => names.includes(event) && args.taskId === number)?.args
  const tasks = views.map(({ taskId, task, settlementDigest, funded, released, refunded, milestones }, index) => ({
    ...task,
    number: taskId,
    id: `v2:${market}:${taskId}`,
    state: states[task.state] ?? '',
    scope: task.scope === 0 ? 'OPEN' : 'PRIVATE',
    claimPolicy: task.claimPolicy === 0 ? 'ANYONE' : 'PERMIT',
    allowedWorker: states[task.state] === 'POSTED' ? (allowed[index] === zeroAddress ? null : allowed[index]) : null,
    worker: task.worker === zeroAddress ? null : task.worker,
    arbitrator: task.arbitrator === zeroAddress ? null : task.arbitrator,
    store: task.store === zeroAddress ? null : task.store,
    settlementDigest,
    funded,
    released,
    refunded,
    milestones: milestones.map(({ amount, duration, state }) => ({
      amount,
      duration,
      state: milestoneStates[state] ?? '',
    })),
    dispute: disputes.find((each) => each.taskId === taskId)?.dispute ?? null,
    terms: find(taskId, ['TaskPosted', 'TaskCreated'])?.terms,
    text: find(taskId, ['TaskTextPublished'])?.text,
    claimableUntil: task.claimDeadline - params.claimCutoff,
  }))
  return {
    market,
    contracts,
    params,
    events,
    tasks,
    agents: await readAgents(client, contracts),
    arbitrators: await readArbitrators(client, contracts),
    totals: await readTotals(client, contracts),
  }
}

type Client = Devnet['client']

const abis: Readonly<Partial<Record<keyof MarketContracts, Abi>>> = {
  taskRegistry: taskRegistryAbi,
  taskScopeRegistry: taskScopeRegistryAbi,
  agreements: agreementsAbi,
  escrowVault: escrowVaultAbi,
  depositVault: depositVaultAbi,
  paymentGateway: paymentGatewayAbi,
  stakingVault: stakingVaultAbi,
  arbitration: arbitrationAbi,
  reputationRegistry: reputationRegistryAbi,
}

async function readEvents(client: Client, contracts: MarketContracts): Promise<EventFact[]> {
  const events = await Promise.all(
    Object.entries(abis).map(async ([contract, abi]) => {
      const address = Object.entries(contracts).find(([name]) => name === contract)?.[1]
      const logs = await client.getLogs({ address, fromBlock: 0n })
      return parseEventLogs({ abi, logs }).map((log): EventFact => {
        const { blockTimestamp } = log
        if (blockTimestamp === undefined) throw new Error('The node names no time.')
        const args: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(log.args ?? {}))
        const { eventName: event = '', blockNumber, logIndex, transactionHash } = log
        return { contract, event, args, blockNumber, logIndex, timestamp: Number(blockTimestamp), transactionHash }
      })
    }),
  )
  return events.flat().toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}

/** Every person, whether it did something or not. */
const people = Object.values(accounts).map(({ address }) => address)

async function readAgents(client: Client, contracts: MarketContracts) {
  const vault = { address: contracts.depositVault, abi: depositVaultAbi } as const
  const union = { address: contracts.stakingVault, abi: stakingVaultAbi } as const
  const reputations = await client.readContract({
    address: contracts.reputationRegistry,
    abi: reputationRegistryAbi,
    functionName: 'reputationsOf',
    args: [people],
  })
  return Promise.all(
    people.map(async (address, index) => {
      const args = [address] as const
      const [deposit, reserved, free, withdrawable, staked, credits, rewards, payouts, awards] = await Promise.all([
        client.readContract({ ...vault, functionName: 'balanceOf', args }),
        client.readContract({ ...vault, functionName: 'reservedOf', args }),
        client.readContract({ ...vault, functionName: 'freeOf', args }),
        client.readContract({ ...vault, functionName: 'withdrawableOf', args }),
        client.readContract({ ...union, functionName: 'stakedOf', args }),
        client.readContract({ ...union, functionName: 'creditsOf', args }),
        client.readContract({ ...union, functionName: 'rewardsOf', args }),
        client.readContract({
          address: contracts.escrowVault,
          abi: escrowVaultAbi,
          functionName: 'withdrawableOf',
          args,
        }),
        client.readContract({
          address: contracts.arbitration,
          abi: arbitrationAbi,
          functionName: 'withdrawableOf',
          args,
        }),
      ])
      const reputation = reputations[index]
      if (!reputation) throw new Error(`${address} has no counters.`)
      const money = { deposit, reserved, free, withdrawable, staked, credits, rewards, payouts, awards }
      return { address, ...reputation, score: computeScore(reputation), ...money }
    }),
  )
}

interface Counters {
  completedAsPoster: number
  completedAsWorker: number
  distinctCounterparties: number
  disputesWon: number
  disputesLost: number
  leaves: number
  dismissals: number
  lapses: number
}

/** The published formula, written out once more. */
export const scoreFormula =
  'max(0, 10 * min(completed, distinctCounterparties) + 5 * min(disputesWon, distinctCounterparties) - 20 * disputesLost - 5 * (leaves + dismissals + lapses)), completed = as poster + as worker'

function computeScore(of: Counters): number {
  const completed = of.completedAsPoster + of.completedAsWorker
  const good =
    10 * Math.min(completed, of.distinctCounterparties) + 5 * Math.min(of.disputesWon, of.distinctCounterparties)
  return Math.max(0, good - 20 * of.disputesLost - 5 * (of.leaves + of.dismissals + of.lapses))
}

async function readArbitrators(client: Client, { arbitration }: MarketContracts) {
  const contract = { address: arbitration, abi: arbitrationAbi } as const
  const count = await client.readContract({ ...contract, functionName: 'arbitratorCount' })
  const wallets = await client.readContract({ ...contract, functionName: 'arbitratorsFrom', args: [0n, count] })
  const arbitrators = await Promise.all(
    wallets.map(async (address) => ({
      address,
      ...(await client.readContract({ ...contract, functionName: 'arbitratorOf', args: [address] })),
    })),
  )
  return arbitrators.toSorted(
    (a, b) => Number(b.bond - a.bond) || (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1),
  )
}

async function readTotals(client: Client, contracts: MarketContracts) {
  const union = { address: contracts.stakingVault, abi: stakingVaultAbi } as const
  const escrow = { address: contracts.escrowVault, abi: escrowVaultAbi } as const
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  return {
    stakingActive: await client.readContract({ ...union, functionName: 'stakingActive' }),
    staked: await client.readContract({ ...union, functionName: 'totalStakedTok' }),
    creditsIssued: await client.readContract({ ...union, functionName: 'totalCreditsIssued' }),
    creditsRemaining: await client.readContract({ ...union, functionName: 'creditsRemaining' }),
    creditIssuanceClosed: await client.readContract({ ...union, functionName: 'creditIssuanceClosed' }),
    rewardReserve: await client.readContract({ ...union, functionName: 'rewardReserve' }),
    held: await client.readContract({ ...escrow, functionName: 'totalHeld' }),
    withdrawable: await client.readContract({ ...escrow, functionName: 'totalWithdrawable' }),
    deposits: await client.readContract({
      address: contracts.depositVault,
      abi: depositVaultAbi,
      functionName: 'totalDeposits',
    }),
    sunsetAt: await client.readContract({ ...registry, functionName: 'sunsetAt' }),
  }
}

/** Finds the facts of a wallet. */
export function findAgent({ agents }: Pick<MarketFacts, 'agents'>, wallet: Address): AgentFact {
  const agent = agents.find(({ address }) => address === wallet)
  if (!agent) throw new Error(`Nobody has the address ${wallet}.`)
  return agent
}

const counters = [
  'completedAsPoster',
  'completedAsWorker',
  'distinctCounterparties',
  'disputesWon',
  'disputesLost',
  'leaves',
  'dismissals',
  'lapses',
] as const

/** Lists wallets that together differ between the markets in every counter in which anyone does. */
export function listContrasts({ standard, micro }: Facts): Address[] {
  const differing = counters.flatMap(
    (name) => standard.agents.find((agent) => agent[name] !== findAgent(micro, agent.address)[name])?.address ?? [],
  )
  return [...new Set(differing)]
}
