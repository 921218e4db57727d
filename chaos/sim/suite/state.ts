import type { TaskTerms } from '@svc/protocol'
import { createAgentRecord, createArbitratorRecord, createUnionRecord } from '@svc/protocol/fold'
import type { AgentRecord, ArbitratorRecord, DisputeRecord, TaskRecord, UnionRecord } from '@svc/protocol/records'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import type { DrawWeights } from '../../../test/model/draw.ts'
import type { Store, Timeline } from '../store.ts'

/** A task as the contracts store it, with the escrow's account and the parties' reserves for it. */
export interface TaskEntry extends Omit<TaskRecord, 'milestones' | 'settlementDigest'> {
  amounts: readonly bigint[]
  durations: readonly number[]
  termsHash: Hex
  posterReserve: bigint
  workerReserve: bigint
  terms: TaskTerms | null
  text: string | null
}

/** The last dispute of a task. */
export interface DisputeEntry extends Omit<DisputeRecord, 'number'> {
  /** Every arbitrator seated in this round, also those removed. */
  sat: readonly Address[]
  /** The bonds that weight the scheduled draw. */
  drawn: DrawWeights
}

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
  /** Arbitrators in order of registration. */
  roster: readonly Address[]
  totalDeposits: bigint
  totalBonded: bigint
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
  total: 0n,
  funded: 0n,
  released: 0n,
  refunded: 0n,
  termsHash: zeroHash,
  postedAt: 0,
  postedBlock: 0,
  claimDeadline: 0,
  claimedAt: 0,
  deadline: 0,
  reviewEnd: 0,
  workerBps: 0,
  ruled: false,
  posterReserve: 0n,
  workerReserve: 0n,
  terms: null,
  text: null,
})

export const createDisputeEntry = (): DisputeEntry => ({
  phase: 'NONE',
  poster: '0x',
  worker: '0x',
  round: 0,
  tier: 0,
  reseated: false,
  posterSpoke: false,
  workerSpoke: false,
  posterProposal: null,
  workerProposal: null,
  workerBps: 0,
  consentEnd: 0,
  seatEnd: 0,
  evidenceEnd: 0,
  rulingEnd: 0,
  appealEnd: 0,
  drawBlock: 0,
  panelStart: 0,
  bench: [],
  appeals: [],
  sat: [],
  drawn: [],
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
  roster: [],
  totalDeposits: 0n,
  totalBonded: 0n,
  pendingOwners: { taskRegistry: null, stakingVault: null },
})
