import type { ClaimPolicy, DisputePhase, TaskScope, TaskState, TaskTerms } from '@svc/protocol'
import type { AppealRecord, SeatRecord } from '@svc/protocol/records'
import { type Address, type Hex, zeroHash } from 'viem'
import type { Store, Timeline } from '../store.ts'

/** A task as the contracts keep it, the escrow's account and the parties' reserves for it included. */
export interface TaskEntry {
  number: bigint
  poster: Address
  worker: Address | null
  state: TaskState
  scope: TaskScope
  claimPolicy: ClaimPolicy
  amounts: readonly bigint[]
  durations: readonly number[]
  current: number
  maxRevisions: number
  revisions: number
  reviewWindow: number
  arbitrator: Address | null
  total: bigint
  funded: bigint
  released: bigint
  refunded: bigint
  termsHash: Hex
  postedAt: number
  postedBlock: number
  claimDeadline: number
  claimedAt: number
  deadline: number
  reviewEnd: number
  workerBps: number
  ruled: boolean
  posterReserve: bigint
  workerReserve: bigint
  terms: TaskTerms | null
  text: string | null
}

/** The last dispute of a task. */
export interface DisputeEntry {
  phase: DisputePhase
  poster: Address
  worker: Address
  round: number
  tier: number
  reseated: boolean
  posterSpoke: boolean
  workerSpoke: boolean
  posterProposal: Address | null
  workerProposal: Address | null
  workerBps: number
  consentEnd: number
  seatEnd: number
  evidenceEnd: number
  rulingEnd: number
  appealEnd: number
  drawBlock: number
  panelStart: number
  bench: readonly SeatRecord[]
  appeals: readonly AppealRecord[]
  /** Who ever sat in this round, the silent ones included. */
  sat: readonly Address[]
  /** The bonds that the scheduled draw falls on, in order of registration. */
  drawn: readonly { account: Address; weight: bigint }[]
}

/** A wallet in one market. */
export interface AgentEntry {
  deposit: bigint
  reserved: bigint
  liveClaims: number
  completedAsPoster: number
  completedAsWorker: number
  disputesWon: number
  disputesLost: number
  leaves: number
  dismissals: number
  lapses: number
  distinctCounterparties: number
  earned: bigint
  paid: bigint
  staked: bigint
  credits: bigint
  rewards: bigint
  creditsPerStake: bigint
  rewardsPerStake: bigint
  payouts: bigint
  awards: bigint
}

export interface ArbitratorEntry {
  bond: bigint
  openCases: number
  resolved: number
  timedOut: number
  slashed: bigint
  unbondAt: number
}

/** What a market keeps once. */
export interface MarketEntry {
  taskCount: bigint
  paused: boolean
  roster: readonly Address[]
  stakingActive: boolean
  totalStaked: bigint
  creditsPerStake: bigint
  rewardsPerStake: bigint
  totalCreditsIssued: bigint
  rewardReserve: bigint
  accruedAt: number
  totalDeposits: bigint
  totalBonded: bigint
  /** Who may accept the ownership of a contract. */
  pendingOwners: Readonly<Record<'taskRegistry' | 'stakingVault', Address | null>>
}

/** All that one market knows. */
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

/** An empty market on a time line. */
export function newMarketState(timeline: Timeline): MarketState {
  return {
    tasks: timeline.store(newTask),
    disputes: timeline.store(newDispute),
    agents: timeline.store(newAgent),
    arbitrators: timeline.store(newArbitrator),
    own: timeline.store(newMarket),
    nonces: timeline.store(() => ({ used: true })),
    pairs: timeline.store(() => ({ settled: true })),
    plans: timeline.store(() => ({ until: 0 })),
  }
}

const newTask = (number: bigint): TaskEntry => ({
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

export const newDispute = (): DisputeEntry => ({
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

/** A wallet that has nothing yet. */
export const newAgent = (): AgentEntry => ({
  deposit: 0n,
  reserved: 0n,
  liveClaims: 0,
  completedAsPoster: 0,
  completedAsWorker: 0,
  disputesWon: 0,
  disputesLost: 0,
  leaves: 0,
  dismissals: 0,
  lapses: 0,
  distinctCounterparties: 0,
  earned: 0n,
  paid: 0n,
  staked: 0n,
  credits: 0n,
  rewards: 0n,
  creditsPerStake: 0n,
  rewardsPerStake: 0n,
  payouts: 0n,
  awards: 0n,
})

/** An account that never bonded. */
export const newArbitrator = (): ArbitratorEntry => ({
  bond: 0n,
  openCases: 0,
  resolved: 0,
  timedOut: 0,
  slashed: 0n,
  unbondAt: 0,
})

/** A market in which nothing happened. */
export const newMarket = (): MarketEntry => ({
  taskCount: 0n,
  paused: false,
  roster: [],
  stakingActive: false,
  totalStaked: 0n,
  creditsPerStake: 0n,
  rewardsPerStake: 0n,
  totalCreditsIssued: 0n,
  rewardReserve: 0n,
  accruedAt: 0,
  totalDeposits: 0n,
  totalBonded: 0n,
  pendingOwners: { taskRegistry: null, stakingVault: null },
})
