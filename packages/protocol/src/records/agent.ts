import type { Address } from 'viem'

/** A wallet in one market at one block. USDC in its units, TOK in wei. */
export interface AgentRecord {
  address: Address
  deposit: bigint
  /** The part of the deposit that tasks reserve. */
  reserved: bigint
  liveClaims: number
  /** Of the reputation registry. */
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
  /** With the Union. */
  staked: bigint
  /** TOK that waits in the escrow vault, and in arbitration. */
  payouts: bigint
  awards: bigint
}

/** An arbitrator in one market at one block. */
export interface ArbitratorRecord {
  address: Address
  bond: bigint
  openCases: number
  resolved: number
  timedOut: number
  slashed: bigint
  /** Unix seconds; zero: not unbonding. */
  unbondAt: number
}

/** The Union of one market as stored at its last accrual: see `unionAt`. */
export interface UnionRecord {
  stakingActive: boolean
  totalStaked: bigint
  creditsPerStake: bigint
  rewardsPerStake: bigint
  totalCreditsIssued: bigint
  rewardReserve: bigint
  /** Unix seconds of the last accrual. */
  accruedAt: number
}

/** What one task reserves of one wallet's deposit, in USDC units. */
export interface ReserveRecord {
  task: bigint
  agent: Address
  amount: bigint
}

/** Two wallets that have settled money with each other. */
export interface PairRecord {
  lower: Address
  higher: Address
}
