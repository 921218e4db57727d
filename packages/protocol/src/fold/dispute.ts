import { bps } from '../money/amounts.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import { disputeEndings } from '../tasks/states.ts'
import type { MarketEvent, MarketEvents } from './event.ts'
import { type EventHandlers, handleEvent, MissingEntityError, requireEnumName, requireFact } from './eventHandlers.ts'

/**
 * Applies an event to a dispute. Pass null if the task was never disputed. Throws {@link MissingEntityError} for an event of a
 * dispute that was not opened.
 *
 * @example
 * ```ts
 * const dispute = applyDispute(null, caseOpened)
 * ```
 */
export function applyDispute(dispute: DisputeRecord | null, event: MarketEvent): DisputeRecord {
  if (event.kind === 'arbitration.CaseOpened') return createDisputeRecord(event)
  if (!dispute) throw new MissingEntityError('dispute', event)
  return handleEvent(disputeHandlers, dispute, event)
}

/** A new case keeps nothing of the previous one but counts up its number. */
function createDisputeRecord(event: MarketEvents['arbitration.CaseOpened']): DisputeRecord {
  const { args, block, facts } = event
  const poster = requireFact(event, 'poster')
  const openedByPoster = args.opener === poster
  const shareBps = Number(args.shareBps)
  return {
    number: args.taskId,
    poster,
    worker: requireFact(event, 'worker'),
    phase: 'OPEN',
    ending: 'NONE',
    round: Number(args.number),
    openedByPoster,
    posterSpoke: openedByPoster,
    workerSpoke: !openedByPoster,
    ruled: false,
    forWorker: false,
    appealed: false,
    named: facts?.named ?? null,
    posterProposal: facts?.proposed ?? null,
    workerProposal: null,
    judge: null,
    offerBps: openedByPoster ? shareBps : 0,
    askBps: openedByPoster ? Number(bps) : shareBps,
    workerBps: 0,
    amount: BigInt(requireFact(event, 'amount')),
    stake: args.stake,
    openedAt: block.timestamp,
    consentEnd: Number(args.consentEnd),
    evidenceEnd: Number(args.evidenceEnd),
    rulingEnd: 0,
    appealEnd: 0,
    courtEnd: 0,
  }
}

const nobodySits = { judge: null, rulingEnd: 0 }

/** The handlers of all later events of a dispute. */
export const disputeHandlers: EventHandlers<DisputeRecord> = {
  'arbitration.ArbitratorProposed': (dispute, { args }) =>
    args.party === dispute.poster
      ? { ...dispute, posterProposal: args.arbitrator }
      : { ...dispute, workerProposal: args.arbitrator },
  'arbitration.JudgeSeated': (dispute, { args }) => ({
    ...dispute,
    phase: 'EVIDENCE',
    judge: args.judge,
    rulingEnd: Number(args.rulingEnd),
  }),
  // CourtCalled follows if no other judge can be named.
  'arbitration.JudgeSteppedDown': (dispute) => ({ ...dispute, ...nobodySits, phase: 'OPEN' }),
  'arbitration.EvidenceSubmitted': (dispute, { args }) =>
    args.party === dispute.poster
      ? { ...dispute, posterSpoke: true, offerBps: Number(args.shareBps) }
      : { ...dispute, workerSpoke: true, askBps: Number(args.shareBps) },
  'arbitration.Ruled': (dispute, { args }) => ({
    ...dispute,
    phase: 'RULED',
    ruled: true,
    forWorker: args.forWorker,
    appealEnd: Number(args.appealEnd),
  }),
  'arbitration.Escalated': (dispute) => ({ ...dispute, appealed: true }),
  // A judge that did not rule is removed. One whose ruling was appealed stays on record.
  'arbitration.CourtCalled': (dispute, { args }) => ({
    ...dispute,
    ...(dispute.ruled ? {} : nobodySits),
    phase: 'COURT',
    courtEnd: Number(args.courtEnd),
  }),
  'arbitration.CaseClosed': (dispute, { args }) => ({
    ...dispute,
    phase: 'CLOSED',
    ending: requireEnumName(disputeEndings, args.ending),
    workerBps: Number(args.workerBps),
    stake: 0n,
  }),
}
