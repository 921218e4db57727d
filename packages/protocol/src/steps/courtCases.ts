import { bps } from '../money/amounts.ts'
import type { DisputeRecord } from '../records/dispute.ts'

/** A case that waits for the final court. Amounts are in TOK wei, times in unix seconds. */
export interface CourtCase {
  /** The number of the task. */
  number: bigint
  /** The number of this dispute of the task, which a decision names. */
  round: number
  /** The disputed milestone, and what the decision moves of it. */
  amount: bigint
  gap: bigint
  offerBps: number
  askBps: number
  openedBy: 'poster' | 'worker'
  /** Whose share the judge picked that is appealed against; null if no judge ruled. */
  appealAgainst: 'poster' | 'worker' | null
  /** Who has said nothing. */
  silent: readonly ('poster' | 'worker')[]
  /** From when and until when the court can decide. */
  decideFrom: number
  courtEnd: number
}

/** Cases that close within this time are worked on first, whatever their sum. */
export const courtUrgency = 86_400

/** Describes a dispute for the final court; null if it is not there. */
export function toCourtCase(dispute: DisputeRecord): CourtCase | null {
  if (dispute.phase !== 'COURT') return null
  const { number, round, amount, offerBps, askBps, evidenceEnd, courtEnd, posterSpoke, workerSpoke } = dispute
  return {
    number,
    round,
    amount,
    gap: (amount * BigInt(askBps - offerBps)) / bps,
    offerBps,
    askBps,
    openedBy: dispute.openedByPoster ? 'poster' : 'worker',
    appealAgainst: dispute.ruled ? (dispute.forWorker ? 'worker' : 'poster') : null,
    silent: [...(posterSpoke ? [] : (['poster'] as const)), ...(workerSpoke ? [] : (['worker'] as const))],
    decideFrom: evidenceEnd + 1,
    courtEnd,
  }
}

/**
 * Sorts cases for the court's desk, and leaves out those whose time is over: what closes within a day first, then by the sum that
 * the decision moves, so that many small cases hide no large one; among equals what closes earlier.
 */
export function sortCourtCases(cases: readonly CourtCase[], now: number): CourtCase[] {
  const isUrgent = ({ courtEnd }: CourtCase) => courtEnd - now <= courtUrgency
  return cases
    .filter(({ courtEnd }) => courtEnd >= now)
    .toSorted(
      (a, b) =>
        Number(isUrgent(b)) - Number(isUrgent(a)) ||
        Number(b.gap > a.gap) - Number(b.gap < a.gap) ||
        a.courtEnd - b.courtEnd ||
        Number(a.number - b.number),
    )
}
