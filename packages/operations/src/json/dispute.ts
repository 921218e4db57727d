import { disputeEndings, disputePhases } from '@svc/protocol'
import type { DisputeRecord } from '@svc/protocol/records'
import * as z from 'zod'
import { type BundleJson, bundleJson } from './bundle.ts'
import { addressText, amountText, count, moment, momentOrNull, orNull } from './scalars.ts'

const parties = ['poster', 'worker'] as const

/** The last dispute of a task. */
export const disputeJson = z
  .object({
    phase: z.enum(disputePhases).describe('What the dispute waits for.'),
    ending: z.enum(disputeEndings).describe('How the dispute ended; NONE while it is open.'),
    round: count.describe('Number of this dispute among those of the task, from 1.'),
    openedBy: z.enum(parties).describe('Party that opened the dispute.'),
    amountTokWei: amountText.describe('Disputed milestone, in TOK wei.'),
    stakeTokWei: amountText.describe('What the poster put up to open the dispute, in TOK wei; 0 once it is closed.'),
    offerBps: count.describe("The worker's share that the poster offers, in basis points of the milestone."),
    askBps: count.describe("The worker's share that the worker asks for, in basis points of the milestone."),
    posterSpoke: z.boolean().describe('True if the poster has submitted evidence.'),
    workerSpoke: z.boolean().describe('True if the worker has submitted evidence.'),
    named: z.nullable(addressText).describe('Arbitrator named in terms that both parties signed; null if none.'),
    posterProposal: z
      .nullable(addressText)
      .describe('Arbitrator that the poster proposed, in the terms or later; null if none.'),
    workerProposal: z.nullable(addressText).describe('Arbitrator that the worker proposed; null if none.'),
    judge: z.nullable(addressText).describe('Arbitrator that sits as the judge; null if nobody does.'),
    ruledFor: z
      .nullable(z.enum(parties))
      .describe("Party whose share the judge picked; null without a judge's ruling."),
    appealed: z.boolean().describe('True if the loser took the ruling to the final court.'),
    workerBps: z
      .nullable(count)
      .describe("The worker's share that the dispute ended with, in basis points; null while it is open."),
    bundles: z.array(bundleJson).describe("The dispute's evidence and rulings, in chain order."),
    openedAt: moment.describe('When the dispute was opened, in unix seconds.'),
    consentEnd: momentOrNull.describe('Until when a judge may be named and accept, in unix seconds; null if not set.'),
    evidenceEnd: momentOrNull.describe(
      'Until when evidence may be submitted, in unix seconds; null if not set. Nobody rules before.',
    ),
    rulingEnd: momentOrNull.describe('Until when the judge may rule, in unix seconds; null if not set.'),
    appealEnd: momentOrNull.describe('Until when the loser may appeal, in unix seconds; null if not set.'),
    courtEnd: momentOrNull.describe('Until when the final court may decide, in unix seconds; null if not set.'),
  })
  .describe('The last dispute of a task: one judge, then the final court. A ruling picks one of the two shares.')

export type DisputeJson = z.infer<typeof disputeJson>

/** A dispute on the wire. */
export function formatDispute(dispute: DisputeRecord, bundles: BundleJson[]): DisputeJson {
  const { phase, ending, round, posterSpoke, workerSpoke, named, posterProposal, workerProposal, judge } = dispute
  return {
    phase,
    ending,
    round,
    openedBy: dispute.openedByPoster ? 'poster' : 'worker',
    amountTokWei: String(dispute.amount),
    stakeTokWei: String(dispute.stake),
    offerBps: dispute.offerBps,
    askBps: dispute.askBps,
    posterSpoke,
    workerSpoke,
    named,
    posterProposal,
    workerProposal,
    judge,
    ruledFor: dispute.ruled ? (dispute.forWorker ? 'worker' : 'poster') : null,
    appealed: dispute.appealed,
    workerBps: phase === 'CLOSED' ? dispute.workerBps : null,
    bundles,
    openedAt: dispute.openedAt,
    consentEnd: orNull(dispute.consentEnd),
    evidenceEnd: orNull(dispute.evidenceEnd),
    rulingEnd: orNull(dispute.rulingEnd),
    appealEnd: orNull(dispute.appealEnd),
    courtEnd: orNull(dispute.courtEnd),
  }
}
