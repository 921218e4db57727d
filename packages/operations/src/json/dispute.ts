import { disputePhases } from '@svc/protocol'
import type { DisputeRecord } from '@svc/protocol/records'
import * as z from 'zod'
import { addressText, amountText, count, momentOrNull, orNull } from './scalars.ts'

/** The last dispute of a task. */
export const disputeJson = z
  .object({
    phase: z.enum(disputePhases).describe('What the dispute waits for.'),
    round: count.describe('Number of this dispute among those of the task, from 1.'),
    tier: count.describe('0 for the first panel, 1 and 2 for the panels of the appeals.'),
    reseated: z.boolean().describe('True if the panel was silent once and has been replaced.'),
    posterSpoke: z.boolean().describe('True if the poster has submitted evidence.'),
    workerSpoke: z.boolean().describe('True if the worker has submitted evidence.'),
    posterProposal: z.nullable(addressText).describe('Arbitrator that the poster proposed; null if none.'),
    workerProposal: z.nullable(addressText).describe('Arbitrator that the worker proposed; null if none.'),
    workerBps: count.describe(
      "The worker's share under the current ruling, in basis points of the disputed milestone.",
    ),
    consentEnd: momentOrNull.describe(
      'Until when both parties may agree on an arbitrator, in unix seconds; null if not set.',
    ),
    seatEnd: momentOrNull.describe('Until when a panel may be seated, in unix seconds; null if not set.'),
    evidenceEnd: momentOrNull.describe('Until when evidence may be submitted, in unix seconds; null if not set.'),
    rulingEnd: momentOrNull.describe('Until when the panel may rule, in unix seconds; null if not set.'),
    appealEnd: momentOrNull.describe('Until when the ruling may be appealed, in unix seconds; null if not set.'),
    panel: z
      .array(
        z.object({
          arbitrator: addressText.describe('Address of the arbitrator.'),
          voted: z.boolean().describe('True if the arbitrator has voted.'),
          workerBps: count.describe(
            "The worker's share that the arbitrator voted for, in basis points; 0 before the vote.",
          ),
        }),
      )
      .describe('The arbitrators of the current tier; empty before they are seated.'),
    appeals: z
      .array(
        z.object({
          appellant: addressText.describe('Address of the party that appealed.'),
          fromBps: count.describe("The worker's share in the appealed ruling, in basis points."),
          bondUsdcUnits: amountText.describe('Bond of the appeal, in USDC units (6 decimals).'),
        }),
      )
      .describe('The appeals so far, oldest first.'),
  })
  .describe('The last dispute of a task. Times are unix seconds, shares are basis points of the disputed milestone.')

export type DisputeJson = z.infer<typeof disputeJson>

/** A dispute on the wire, with the sitting panel only. */
export function formatDispute(dispute: DisputeRecord): DisputeJson {
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
