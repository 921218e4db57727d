import type { Scene } from '@svc/devnet'
import { claimPolicies, disputeEndings, disputePhases, milestoneStates, taskScopes, taskStates } from '@svc/protocol'
import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskLensAbi,
  taskRegistryAbi,
} from '@svc/protocol/abis'
import { type Address, type Hex, hexToBigInt, numberToHex, zeroAddress } from 'viem'
import { type EntityKey, entityKeys } from '../../packages/protocol/src/fold/affectedEntities.ts'
import { toSunsetTime } from '../../packages/protocol/src/fold/marketEntries.ts'

/** What the contracts of a market store at one block, by the entity keys of the fold. */
export interface ChainState {
  entities: Map<EntityKey, object>
  /** Terms hashes by task. */
  termsHashes: Map<EntityKey, Hex>
  /** The Union's views, whose values change with time. */
  union: { totalCreditsIssued: bigint; rewardReserve: bigint }
  timestamp: number
}

/** The wallets and reserves to read, because views cannot list them. */
interface Known {
  wallets: readonly Address[]
  reserves: readonly (readonly [task: bigint, agent: Address])[]
}

const orNull = (address: Address) => (address === zeroAddress ? null : address)
const named = <name>(names: readonly name[], index: number) => names[index] as name

/** Reads the whole market through its views at a block. */
export async function readChain({ client, contracts }: Scene, block: number, known: Known): Promise<ChainState> {
  const blockNumber = BigInt(block)
  const at = { blockNumber } as const
  const contract = {
    registry: { address: contracts.taskRegistry, abi: taskRegistryAbi },
    lens: { address: contracts.taskLens, abi: taskLensAbi },
    arbitration: { address: contracts.arbitration, abi: arbitrationAbi },
    deposits: { address: contracts.depositVault, abi: depositVaultAbi },
    escrow: { address: contracts.escrowVault, abi: escrowVaultAbi },
    reputation: { address: contracts.reputationRegistry, abi: reputationRegistryAbi },
    staking: { address: contracts.stakingVault, abi: stakingVaultAbi },
  } as const
  /** Makes many reads in one call. Results have the same grouping. */
  const readAll = async (lists: readonly (readonly object[])[]): Promise<never[][]> => {
    const answers = await client.multicall({
      allowFailure: false,
      contracts: lists.flat() as never,
      batchSize: 0,
      ...at,
    })
    const rest = [...answers] as never[]
    return lists.map(({ length }) => rest.splice(0, length))
  }

  const { timestamp } = await client.getBlock({ blockNumber })
  const count = await client.readContract({ ...contract.registry, functionName: 'taskCount', ...at })
  const ids = Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))
  const entities = new Map<EntityKey, object>()
  const termsHashes = new Map<EntityKey, Hex>()

  const views = await client.readContract({ ...contract.lens, functionName: 'tasksOf', args: [ids], ...at })
  const [posterReserves = [], allowedWorkers = [], [paused] = []] = await readAll([
    views.map(({ taskId, task }) => ({
      ...contract.deposits,
      functionName: 'reserveOf',
      args: [taskId, task.poster],
    })),
    ids.map((id) => ({ ...contract.registry, functionName: 'allowedWorkerOf', args: [id] })),
    [{ ...contract.registry, functionName: 'paused' }],
  ])
  const endsAt = await client.readContract({ ...contract.registry, functionName: 'sunsetAt', ...at })
  entities.set('entries', { paused, sunsetAt: toSunsetTime(endsAt) })
  for (const [index, { taskId, task, milestones, ...escrow }] of views.entries()) {
    const { milestoneCount, termsHash, ...stored } = task
    if (milestones.length !== milestoneCount)
      throw new Error(`Task ${taskId} has ${milestones.length} milestones instead of ${milestoneCount}.`)
    termsHashes.set(entityKeys.task(taskId), termsHash)
    entities.set(entityKeys.task(taskId), {
      ...stored,
      ...escrow,
      number: taskId,
      posterReserve: posterReserves[index],
      // What is left of a task that has ended says nothing.
      allowedWorker: taskStates[task.state] === 'POSTED' ? orNull(allowedWorkers[index] ?? zeroAddress) : null,
      worker: orNull(task.worker),
      arbitrator: orNull(task.arbitrator),
      store: orNull(task.store),
      state: named(taskStates, task.state),
      scope: named(taskScopes, task.scope),
      claimPolicy: named(claimPolicies, task.claimPolicy),
      milestones: milestones.map((each) => ({ ...each, state: named(milestoneStates, each.state) })),
    })
  }

  const ofTask = (functionName: string) => ids.map((id) => ({ ...contract.arbitration, functionName, args: [id] }))
  const ofWallet = (of: object, functionName: string) =>
    known.wallets.map((wallet) => ({ ...of, functionName, args: [wallet] }))
  const ofUnion = ['stakingActive', 'totalStakedTok', 'totalCreditsIssued', 'rewardReserve'].map((functionName) => ({
    ...contract.staking,
    functionName,
  }))
  const [disputes = [], ...wallets] = await readAll([
    ofTask('disputeOf'),
    ofWallet(contract.deposits, 'balanceOf'),
    ofWallet(contract.deposits, 'reservedOf'),
    ofWallet(contract.staking, 'stakedOf'),
    ofWallet(contract.escrow, 'withdrawableOf'),
    ofWallet(contract.arbitration, 'withdrawableOf'),
    ofWallet(contract.arbitration, 'arbitratorOf'),
    known.reserves.map((args) => ({ ...contract.deposits, functionName: 'reserveOf', args })),
    known.reserves.map((args) => ({ ...contract.escrow, functionName: 'exitDepositOf', args })),
    ofUnion,
  ])
  for (const [index, id] of ids.entries()) {
    const { number, ...stored } = disputes[index] as unknown as Dispute
    if (stored.phase === 0) continue
    entities.set(entityKeys.dispute(id), {
      ...stored,
      number: id,
      round: number,
      phase: named(disputePhases, stored.phase),
      ending: named(disputeEndings, stored.ending),
      judge: orNull(stored.judge),
      named: orNull(stored.named),
      posterProposal: orNull(stored.posterProposal),
      workerProposal: orNull(stored.workerProposal),
    })
  }

  const [deposits = [], reserved = [], staked = [], payouts = [], awards = [], ...others] = wallets
  const [arbitrators = [], amounts = [], exitDeposits = [], union = []] = others
  const reputations = await client.readContract({
    ...contract.reputation,
    functionName: 'reputationsOf',
    args: [known.wallets],
    ...at,
  })
  for (const [index, address] of known.wallets.entries()) {
    entities.set(entityKeys.agent(address), {
      address,
      deposit: deposits[index],
      reserved: reserved[index],
      ...reputations[index],
      staked: staked[index],
      payouts: payouts[index],
      awards: awards[index],
    })
    entities.set(entityKeys.arbitrator(address), { address, ...(arbitrators[index] as unknown as object) })
  }

  for (const [index, [task, agent]] of known.reserves.entries()) {
    entities.set(entityKeys.reserve(task, agent), {
      task,
      agent,
      amount: amounts[index],
      exitDeposit: exitDeposits[index],
    })
  }

  // There is no view of the last accrual. It is in the five slots after the owners, the active flag and the total.
  const [creditsPerStake, rewardsPerStake, totalCreditsIssued, rewardReserve, accruedAt] = await Promise.all(
    [3, 4, 5, 6, 7].map(async (slot) =>
      hexToBigInt(
        (await client.getStorageAt({ address: contracts.stakingVault, slot: numberToHex(slot), ...at })) ?? '0x0',
      ),
    ),
  )
  const [stakingActive, totalStaked, creditsNow, reserveNow] = union as unknown as [boolean, bigint, bigint, bigint]
  entities.set('union', {
    stakingActive,
    totalStaked,
    creditsPerStake,
    rewardsPerStake,
    totalCreditsIssued,
    rewardReserve,
    accruedAt: Number(accruedAt),
  })
  return {
    entities,
    termsHashes,
    union: { totalCreditsIssued: creditsNow, rewardReserve: reserveNow },
    timestamp: Number(timestamp),
  }
}

interface Dispute {
  number: number
  phase: number
  ending: number
  judge: Address
  named: Address
  posterProposal: Address
  workerProposal: Address
}
