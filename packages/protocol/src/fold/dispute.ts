import type { Address } from 'viem'
import type { DisputeRecord, SeatRecord } from '../records/dispute.ts'
import type { MarketEvent, MarketEvents } from './event.ts'
import { type EventHandlers, handleEvent, MissingEntityError, requireFact } from './eventHandlers.ts'

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
  const { taskId, number, opener, consentEnd, seatEnd } = event.args
  const poster = requireFact(event, 'poster')
  const worker = requireFact(event, 'worker')
  return {
    number: taskId,
    poster,
    worker,
    phase: 'OPEN',
    round: Number(number),
    tier: 0,
    reseated: false,
    posterSpoke: opener === poster,
    workerSpoke: opener === worker,
    posterProposal: null,
    workerProposal: null,
    workerBps: 0,
    consentEnd: Number(consentEnd),
    seatEnd: Number(seatEnd),
    evidenceEnd: 0,
    rulingEnd: 0,
    appealEnd: 0,
    drawBlock: 0,
    panelStart: 0,
    bench: [],
    appeals: [],
  }
}

/** The handlers of all later events of a dispute. */
export const disputeHandlers: EventHandlers<DisputeRecord> = {
  'arbitration.ArbitratorProposed': (dispute, { args }) =>
    args.party === dispute.poster
      ? { ...dispute, posterProposal: args.arbitrator }
      : { ...dispute, workerProposal: args.arbitrator },
  'arbitration.DrawScheduled': (dispute, { args }) => ({ ...dispute, drawBlock: Number(args.drawBlock) }),
  'arbitration.PanelSeated': (dispute, { args }) => ({
    ...dispute,
    phase: 'EVIDENCE',
    panelStart: dispute.bench.length,
    bench: [...dispute.bench, ...args.panel.map((arbitrator) => ({ arbitrator, voted: false, workerBps: 0 }))],
    posterProposal: null,
    workerProposal: null,
    evidenceEnd: Number(args.evidenceEnd),
    rulingEnd: Number(args.rulingEnd),
    drawBlock: 0,
  }),
  'arbitration.EvidenceSubmitted': (dispute, { args }) =>
    args.party === dispute.poster ? { ...dispute, posterSpoke: true } : { ...dispute, workerSpoke: true },
  'arbitration.VoteCast': (dispute, { args }) => ({
    ...dispute,
    bench: dispute.bench.map((seat, index) =>
      index >= dispute.panelStart && seat.arbitrator === args.arbitrator
        ? { ...seat, voted: true, workerBps: Number(args.workerBps) }
        : seat,
    ),
  }),
  'arbitration.ArbitratorSlashed': (dispute, { args }) => ({
    ...dispute,
    bench: removeSeat(dispute.bench, args.arbitrator),
  }),
  'arbitration.Ruled': (dispute, { args }) => ({
    ...dispute,
    phase: 'RULED',
    workerBps: Number(args.workerBps),
    appealEnd: Number(args.appealEnd),
  }),
  'arbitration.Escalated': (dispute, { args, block }) => ({
    ...dispute,
    phase: 'OPEN',
    tier: Number(args.tier),
    reseated: false,
    posterSpoke: false,
    workerSpoke: false,
    consentEnd: block.timestamp,
    seatEnd: Number(args.seatEnd),
    appeals: [...dispute.appeals, { appellant: args.appellant, fromBps: dispute.workerBps, bond: args.bond }],
  }),
  'arbitration.PanelReplaced': (dispute, { args }) => ({
    ...dispute,
    phase: 'OPEN',
    reseated: true,
    seatEnd: Number(args.seatEnd),
  }),
  'arbitration.CaseClosed': (dispute, { args }) => ({
    ...dispute,
    phase: 'CLOSED',
    workerBps: Number(args.workerBps),
  }),
  'arbitration.CaseWithdrawn': (dispute) => ({ ...dispute, phase: 'CLOSED' }),
}

/** Moves the last member to the empty seat, like the contract: the order of the bench is part of the record. */
function removeSeat(bench: readonly SeatRecord[], arbitrator: Address): SeatRecord[] {
  const left = [...bench]
  const last = left.pop()
  const index = left.findIndex((seat) => seat.arbitrator === arbitrator)
  if (last && index !== -1) left[index] = last
  return left
}
