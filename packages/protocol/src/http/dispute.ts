import * as z from 'zod/mini'
import type { DisputeRecord } from '../records/dispute.ts'
import { disputePhases } from '../states.ts'
import { addressText, amountText, count, momentOrNull, orNull } from './scalars.ts'

/** The last dispute of a task. Times are unix seconds, shares basis points of the disputed milestone. */
export const disputeJson = z.object({
  phase: z.enum(disputePhases),
  /** Counts the disputes of the task, from 1. */
  round: count,
  /** 0: the first panel; 1 and 2: those of the appeals. */
  tier: count,
  /** The panel was silent once and has been replaced. */
  reseated: z.boolean(),
  posterSpoke: z.boolean(),
  workerSpoke: z.boolean(),
  posterProposal: z.nullable(addressText),
  workerProposal: z.nullable(addressText),
  /** The ruling that stands. */
  workerBps: count,
  consentEnd: momentOrNull,
  seatEnd: momentOrNull,
  evidenceEnd: momentOrNull,
  rulingEnd: momentOrNull,
  appealEnd: momentOrNull,
  panel: z.array(z.object({ arbitrator: addressText, voted: z.boolean(), workerBps: count })),
  appeals: z.array(z.object({ appellant: addressText, fromBps: count, bondUsdcUnits: amountText })),
})

export type DisputeJson = z.infer<typeof disputeJson>

/** A dispute on the wire; of the bench only the panel that sits. */
export function disputeJsonOf(dispute: DisputeRecord): DisputeJson {
  const { phase, round, tier, reseated, posterSpoke, workerSpoke, posterProposal, workerProposal, workerBps } = dispute
  return {
    phase,
    round,
    tier,
    reseated,
    posterSpoke,
    workerSpoke,
    posterProposal,
    workerProposal,
    workerBps,
    consentEnd: orNull(dispute.consentEnd),
    seatEnd: orNull(dispute.seatEnd),
    evidenceEnd: orNull(dispute.evidenceEnd),
    rulingEnd: orNull(dispute.rulingEnd),
    appealEnd: orNull(dispute.appealEnd),
    panel: dispute.bench.slice(dispute.panelStart).map((seat) => ({ ...seat })),
    appeals: dispute.appeals.map(({ appellant, fromBps, bond }) => ({
      appellant,
      fromBps,
      bondUsdcUnits: String(bond),
    })),
  }
}
