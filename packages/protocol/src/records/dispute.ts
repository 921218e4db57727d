import type { Address } from 'viem'
import type { DisputePhase } from '../states.ts'

/** One seat on the bench. */
export interface SeatRecord {
  arbitrator: Address
  voted: boolean
  workerBps: number
}

/** An appeal, and the bond behind it in USDC units. */
export interface AppealRecord {
  appellant: Address
  fromBps: number
  bond: bigint
}

/** The last dispute of a task at one block, as `Arbitration` stores it. Times are unix seconds; zero means not set. */
export interface DisputeRecord {
  /** The number of the task. */
  number: bigint
  poster: Address
  worker: Address
  phase: DisputePhase
  /** The number of this dispute of the task, from 1. */
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
}
