import type { Address } from 'viem'
import type { DisputeEnding, DisputePhase } from '../tasks/states.ts'

/** The last dispute of a task at one block, as `Arbitration` stores it. Times are unix seconds; zero means not set. */
export interface DisputeRecord {
  /** The number of the task. */
  number: bigint
  poster: Address
  worker: Address
  phase: DisputePhase
  /** How it ended; NONE while it is open. */
  ending: DisputeEnding
  /** The number of this dispute of the task, from 1. */
  round: number
  openedByPoster: boolean
  posterSpoke: boolean
  workerSpoke: boolean
  /** A judge has ruled, and for whom. A decision of the final court does not change it. */
  ruled: boolean
  forWorker: boolean
  /** The loser took the ruling to the final court. */
  appealed: boolean
  /** The arbitrator of terms that both parties signed. */
  named: Address | null
  /** At first the arbitrator of the terms. */
  posterProposal: Address | null
  workerProposal: Address | null
  judge: Address | null
  /** The worker's share that the poster offers and the one that the worker asks for, in basis points of the milestone. */
  offerBps: number
  askBps: number
  /** The share that the dispute ended with. */
  workerBps: number
  /** The amount of the disputed milestone, in TOK wei. */
  amount: bigint
  /** What the poster put up to open it, in TOK wei; zero once it is closed. */
  stake: bigint
  openedAt: number
  consentEnd: number
  evidenceEnd: number
  rulingEnd: number
  appealEnd: number
  courtEnd: number
}

/**
 * Lists the wallets that judge a dispute now: the seated judge, and the final court once the case is there. Nobody judges a
 * dispute that is closed.
 *
 * @example
 * ```ts
 * const judges = listSeatedJudges(detail.dispute, deployments.shared.finalCourt)
 * ```
 */
export function listSeatedJudges(
  dispute: Pick<DisputeRecord, 'phase' | 'judge'> | null | undefined,
  finalCourt: Address,
): Address[] {
  if (!dispute || dispute.phase === 'CLOSED') return []
  return [...(dispute.judge ? [dispute.judge] : []), ...(dispute.phase === 'COURT' ? [finalCourt] : [])]
}

/**
 * Returns the wallet that both sides ask to judge and that has not accepted yet; null if there is none. It may look at what it is
 * asked to judge.
 */
export function findAskedJudge<Wallet extends string>(
  dispute:
    | ({ phase: DisputePhase } & Readonly<
        Record<'judge' | 'named' | 'posterProposal' | 'workerProposal', Wallet | null>
      >)
    | null
    | undefined,
): Wallet | null {
  if (dispute?.phase !== 'OPEN' || dispute.judge) return null
  const { named, posterProposal, workerProposal } = dispute
  if (posterProposal && posterProposal === workerProposal) return posterProposal
  // The terms that both signed name it, and nobody has proposed another one.
  return named && [posterProposal, workerProposal].every((each) => each === null || each === named) ? named : null
}
