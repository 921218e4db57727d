import type { Address } from 'viem'
import { lockedDeposit } from '../money/amounts.ts'

/** A wallet in one market at one block. USDC is in units, TOK in wei. */
export interface AgentRecord {
  address: Address
  deposit: bigint
  /** The part of the deposit that tasks reserve. */
  reserved: bigint
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
  /** TOK that could not be sent and can be withdrawn from the escrow vault, and from arbitration. */
  payouts: bigint
  awards: bigint
}

/** An arbitrator in one market at one block. */
export interface ArbitratorRecord {
  address: Address
  bond: bigint
  /** What open cases lock of the bond. */
  locked: bigint
  /** Unix seconds; zero if not unbonding. */
  unbondAt: number
  openCases: number
  /** Rulings, cases without a ruling in time, and rulings that the final court overturned. */
  resolved: number
  timedOut: number
  overturned: number
  slashed: bigint
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

/** What one task holds of a wallet besides the escrow. */
export interface ReserveRecord {
  task: bigint
  agent: Address
  /** The part of the deposit that the task reserves, in USDC units. */
  amount: bigint
  /** The exit deposit, in TOK wei. */
  exitDeposit: bigint
}

/** Two wallets with at least one completed task between them. */
export interface PairRecord {
  lower: Address
  higher: Address
}

/** Whether a market accepts posts, private tasks and claims. */
export interface EntriesRecord {
  paused: boolean
  /** The first second without entries, for good, in unix seconds; zero if no end is set. */
  sunsetAt: number
}

/**
 * Computes the part of a deposit that can be withdrawn now, in USDC units: all that is free, less USD 12 while anything is
 * reserved.
 *
 * @example
 * ```ts
 * computeWithdrawableDeposit({ deposit: 33_000_000n, reserved: 13_000_000n }) // 8_000_000n
 * ```
 */
export function computeWithdrawableDeposit({ deposit, reserved }: Pick<AgentRecord, 'deposit' | 'reserved'>): bigint {
  const free = deposit - reserved
  if (reserved === 0n) return free
  return free > lockedDeposit ? free - lockedDeposit : 0n
}
