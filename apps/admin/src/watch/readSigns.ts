import {
  type CourtCases,
  type Deployments,
  getLogs,
  type Provider,
  readArbitrators,
  readCourtCases,
  toViemLog,
} from '@svc/chain'
import { timelockControllerAbi } from '@svc/devnet/timelock'
import { type Market, markets } from '@svc/protocol'
import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  pricingPolicyAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  usdOracleAbi,
} from '@svc/protocol/abis'
import { minBond, minJudgeLock } from '@svc/protocol/internal/money'
import type { ArbitratorRecord } from '@svc/protocol/records'
import { erc20Abi, isAddressEqual, parseEventLogs, zeroAddress } from 'viem'
import { createDueReader, type DueCalls } from './dueCalls.ts'

/** What the watcher reads of one market. Amounts are in the smallest unit. */
interface MarketSigns {
  paused: boolean
  sunsetAt: number
  guardian: string
  owner: string
  pendingOwner: string
  /** Wallets that are or were judges, and those of them that could take a small case now. */
  judges: number
  freeJudges: number
  due: DueCalls
  /** What waits for the final court. */
  court: CourtCases
  /** What the vaults hold, less what they owe. Negative: money is missing. */
  escrowSurplus: bigint
  depositSurplus: bigint
  stakingSurplus: bigint
}

/** An operation in the timelock that is scheduled and neither executed nor cancelled. */
interface QueuedOperation {
  id: string
  readyAt: number
}

/** What the watcher reads at one block. */
export interface Signs {
  block: { number: bigint; timestamp: number }
  markets: Record<Market, MarketSigns>
  queue: readonly QueuedOperation[]
  /** Changes of roles since the last look. */
  roleChanges: number
  /** Age of the price in seconds; null without an oracle, or if it gives none. */
  oracleAge: number | null
  hasOracle: boolean
}

/** Judges that are looked at: more than any market needs. */
const maxJudges = 1_000n

/** Whether a judge can take a small case. */
const isFree = ({ bond, locked, unbondAt }: ArbitratorRecord) =>
  bond >= minBond && unbondAt === 0 && locked + minJudgeLock <= bond

/** Creates a function that reads everything that should page somebody. It remembers which tasks run. */
export function createSignReader(deployments: Deployments) {
  const dueReaders = {
    standard: createDueReader('standard', deployments),
    micro: createDueReader('micro', deployments),
  }
  return (provider: Provider, since: bigint) => readSigns(provider, deployments, since, dueReaders)
}

/** Reads the signs at the newest block. `since` is the first block whose events are new. */
async function readSigns(
  provider: Provider,
  deployments: Deployments,
  since: bigint,
  dueReaders: Readonly<Record<Market, ReturnType<typeof createDueReader>>>,
): Promise<Signs> {
  const { client, rpc } = provider
  const head = await client.getBlock()
  const block = { number: head.number, hash: head.hash, timestamp: Number(head.timestamp) }
  const { shared } = deployments
  const at = { blockNumber: block.number }
  const readMarket = async (market: Market): Promise<MarketSigns> => {
    const contracts = deployments.markets[market]
    const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi, ...at } as const
    const escrow = { address: contracts.escrowVault, abi: escrowVaultAbi, ...at } as const
    const staking = { address: contracts.stakingVault, abi: stakingVaultAbi, ...at } as const
    const balance = (token: `0x${string}`, holder: `0x${string}`) =>
      client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder], ...at })
    const [paused, sunsetAt, guardian, owner, pendingOwner] = await Promise.all([
      client.readContract({ ...registry, functionName: 'paused' }),
      client.readContract({ ...registry, functionName: 'sunsetAt' }),
      client.readContract({ ...registry, functionName: 'guardian' }),
      client.readContract({ ...registry, functionName: 'owner' }),
      client.readContract({ ...registry, functionName: 'pendingOwner' }),
    ])
    const [held, withdrawable, exits, escrowed] = await Promise.all([
      client.readContract({ ...escrow, functionName: 'totalHeld' }),
      client.readContract({ ...escrow, functionName: 'totalWithdrawable' }),
      client.readContract({ ...escrow, functionName: 'totalExitDeposits' }),
      balance(shared.tokToken, contracts.escrowVault),
    ])
    const arbitration = { address: contracts.arbitration, abi: arbitrationAbi, ...at } as const
    const [deposits, deposited, staked, rewards, inUnion, judges, roster] = await Promise.all([
      client.readContract({
        address: contracts.depositVault,
        abi: depositVaultAbi,
        functionName: 'totalDeposits',
        ...at,
      }),
      balance(shared.usdc, contracts.depositVault),
      client.readContract({ ...staking, functionName: 'totalStakedTok' }),
      client.readContract({ ...staking, functionName: 'rewardReserve' }),
      balance(shared.tokToken, contracts.stakingVault),
      client.readContract({ ...arbitration, functionName: 'arbitratorCount' }),
      client.readContract({ ...arbitration, functionName: 'arbitratorsFrom', args: [0n, maxJudges] }),
    ])
    const records = await readArbitrators(provider, contracts, roster, block)
    return {
      paused,
      sunsetAt: Number(sunsetAt),
      guardian,
      owner,
      pendingOwner,
      judges: Number(judges),
      freeJudges: records.filter(isFree).length,
      due: await dueReaders[market](provider, block),
      court: await readCourtCases(provider, { ...shared, ...contracts }, block),
      escrowSurplus: escrowed - held - withdrawable - exits,
      depositSurplus: deposited - deposits,
      stakingSurplus: inUnion - staked - rewards,
    }
  }
  const found = Object.fromEntries(
    await Promise.all(markets.map(async (market) => [market, await readMarket(market)] as const)),
  ) as Record<Market, MarketSigns>
  // The owner can replace the oracle of the deployment.
  const policy = { address: shared.pricingPolicy, abi: pricingPolicyAbi, ...at } as const
  const oracle = await client.readContract({ ...policy, functionName: 'usdOracle' })
  const hasOracle = !isAddressEqual(oracle, zeroAddress)
  const price = hasOracle
    ? await client
        .readContract({ address: oracle, abi: usdOracleAbi, functionName: 'tokUsdPrice', ...at })
        .catch(() => null)
    : null
  const range = { from: since, to: block.number }
  const raw = since > block.number ? [] : await getLogs(rpc, { address: shared.timelock }, range)
  const roleChanges = parseEventLogs({
    abi: timelockControllerAbi,
    logs: raw.map(toViemLog),
    eventName: ['RoleGranted', 'RoleRevoked', 'RoleAdminChanged'],
  }).length
  return {
    block: { number: block.number, timestamp: block.timestamp },
    markets: found,
    queue: await readQueue({ client, rpc }, deployments, block.number),
    roleChanges,
    oracleAge: price && block.timestamp - Number(price[1]),
    hasOracle,
  }
}

/** Lists what waits in the timelock. */
async function readQueue(
  { client, rpc }: Provider,
  { shared, startBlock }: Deployments,
  to: bigint,
): Promise<QueuedOperation[]> {
  const { timelock: address } = shared
  const raw = await getLogs(rpc, { address }, { from: BigInt(startBlock), to })
  const scheduled = parseEventLogs({ abi: timelockControllerAbi, logs: raw.map(toViemLog), eventName: 'CallScheduled' })
  const ids = [...new Set(scheduled.map(({ args }) => args.id))]
  const times = await Promise.all(
    ids.map((id) =>
      client.readContract({
        address,
        abi: timelockControllerAbi,
        functionName: 'getTimestamp',
        args: [id],
        blockNumber: to,
      }),
    ),
  )
  // 0: cancelled. 1: executed.
  return ids.flatMap((id, index) => {
    const readyAt = Number(times[index] ?? 0n)
    return readyAt > 1 ? [{ id, readyAt }] : []
  })
}
