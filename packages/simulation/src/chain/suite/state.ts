import type { TaskTerms } from '@svc/protocol'
import { createAgentRecord, createArbitratorRecord, createUnionRecord } from '@svc/protocol/internal/fold'
import type { UnionRecord } from '@svc/protocol/internal/records'
import type { AgentRecord, ArbitratorRecord, DisputeRecord, TaskRecord } from '@svc/protocol/records'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import type { Store, Timeline } from '../store.ts'

/** A task as the contracts store it, with the escrow's account and what it holds of the parties' deposits. */
export interface TaskEntry extends Omit<TaskRecord, 'milestones' | 'settlementDigest'> {
  amounts: readonly bigint[]
  durations: readonly number[]
  termsHash: Hex
  posterReserve: bigint
  workerReserve: bigint
  posterExitDeposit: bigint
  workerExitDeposit: bigint
  /** Whom the poster lets claim without a signed permit. */
  allowedWorker: Address | null
  terms: TaskTerms | null
  text: string | null
}

/** The last dispute of a task. */
export type DisputeEntry = Omit<DisputeRecord, 'number'>

/** A wallet in one market. */
export interface AgentEntry extends Omit<AgentRecord, 'address'> {
  credits: bigint
  rewards: bigint
  creditsPerStake: bigint
  rewardsPerStake: bigint
}

export type ArbitratorEntry = Omit<ArbitratorRecord, 'address'>

/** What a market stores once. */
export interface MarketEntry extends UnionRecord {
  taskCount: bigint
  paused: boolean
  sunsetAt: number
  /** Arbitrators in order of registration. */
  roster: readonly Address[]
  totalDeposits: bigint
  totalBonded: bigint
  /** What posters put up to open the cases that are open. */
  totalStakes: bigint
  /** Who may accept the ownership of a contract. */
  pendingOwners: Readonly<Record<'taskRegistry' | 'stakingVault', Address | null>>
}

/** The state of one market. */
export interface MarketState {
  tasks: Store<bigint, TaskEntry>
  disputes: Store<bigint, DisputeEntry>
  agents: Store<Address, AgentEntry>
  arbitrators: Store<Address, ArbitratorEntry>
  own: Store<'own', MarketEntry>
  /** Spent nonces, by account and nonce. */
  nonces: Store<string, { used: true }>
  /** Pairs that have settled a payment, the lower address first. */
  pairs: Store<string, { settled: true }>
  /** Until when a plan is paid, by beneficiary and plan id. */
  plans: Store<string, { until: number }>
}

/** Creates an empty market on a timeline. */
export function createMarketState(timeline: Timeline): MarketState {
  return {
    tasks: timeline.store(createTaskEntry),
    disputes: timeline.store(createDisputeEntry),
    agents: timeline.store(createAgentEntry),
    arbitrators: timeline.store(createArbitratorEntry),
    own: timeline.store(createMarketEntry),
    nonces: timeline.store(() => ({ used: true })),
    pairs: timeline.store(() => ({ settled: true })),
    plans: timeline.store(() => ({ until: 0 })),
  }
}

const createTaskEntry = (number: bigint): TaskEntry => ({
  number,
  poster: '0x',
  worker: null,
  state: 'NONE',
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  amounts: [],
  durations: [],
  current: 0,
  maxRevisions: 0,
  revisions: 0,
  reviewWindow: 0,
  arbitrator: null,
  store: null,
  receipted: false,
  underNotice: false,
  total: 0n,
  funded: 0n,
  released: 0n,
  refunded: 0n,
  termsHash: zeroHash,
  postedAt: 0,
  postedBlock: 0,
  claimDeadline: 0,
  claimedAt: 0,
  fundedAtClaim: false,
  deadline: 0,
  reviewEnd: 0,
  workerBps: 0,
  ruled: false,
  posterReserve: 0n,
  workerReserve: 0n,
  posterExitDeposit: 0n,
  workerExitDeposit: 0n,
  allowedWorker: null,
  terms: null,
  text: null,
})

export const createDisputeEntry = (): DisputeEntry => ({
  phase: 'NONE',
  ending: 'NONE',
  poster: '0x',
  worker: '0x',
  round: 0,
  openedByPoster: false,
  posterSpoke: false,
  workerSpoke: false,
  ruled: false,
  forWorker: false,
  appealed: false,
  named: null,
  posterProposal: null,
  workerProposal: null,
  judge: null,
  offerBps: 0,
  askBps: 0,
  workerBps: 0,
  amount: 0n,
  stake: 0n,
  openedAt: 0,
  consentEnd: 0,
  evidenceEnd: 0,
  rulingEnd: 0,
  appealEnd: 0,
  courtEnd: 0,
})

const { address: _agent, ...emptyAgent } = createAgentRecord(zeroAddress)
const { address: _arbitrator, ...emptyArbitrator } = createArbitratorRecord(zeroAddress)

/** A wallet that has nothing yet. */
export const createAgentEntry = (): AgentEntry => ({
  ...emptyAgent,
  credits: 0n,
  rewards: 0n,
  creditsPerStake: 0n,
  rewardsPerStake: 0n,
})

/** An account that never bonded. */
export const createArbitratorEntry = (): ArbitratorEntry => ({ ...emptyArbitrator })

/** A market in which nothing happened. */
export const createMarketEntry = (): MarketEntry => ({
  ...createUnionRecord(),
  taskCount: 0n,
  paused: false,
  sunsetAt: 0,
  roster: [],
  totalDeposits: 0n,
  totalBonded: 0n,
  totalStakes: 0n,
  pendingOwners: { taskRegistry: null, stakingVault: null },
})
