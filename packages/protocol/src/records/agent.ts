import type { Address } from 'viem'

/** A wallet in one market at one block. USDC is in units, TOK in wei. */
export interface AgentRecord {
  address: Address
  deposit: bigint
  /** The part of the deposit that tasks reserve. */
  reserved: bigint
  liveClaims: number
  /** From the reputation registry, like the following counters. */
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
  /** TOK staked in the Union. */
  staked: bigint
  /** TOK that can be withdrawn from the escrow vault, and from arbitration. */
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
  /** Unix seconds; zero if not unbonding. */
  unbondAt: number
}

/** The Union of one market as stored at its last accrual: see `accrueUnion`. */
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

/** The part of a wallet's deposit that one task reserves, in USDC units. */
export interface ReserveRecord {
  task: bigint
  agent: Address
  amount: bigint
}

/** Two wallets with at least one payment between them. */
export interface PairRecord {
  lower: Address
  higher: Address
}

/** Whether a market accepts posts, private tasks and claims. */
export interface EntriesRecord {
  paused: boolean
}
