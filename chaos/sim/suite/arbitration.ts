import { bps } from '@svc/protocol'
import { type Address, type Hex, zeroHash } from 'viem'
import { listDrawWeights, selectPanel } from '../../../test/model/draw.ts'
import { buildTaskWorld, type Performed, perform, performForWallet } from './engine.ts'
import { type Frame, readAgent, readMarketEntry } from './frame.ts'
import { afterPenalties, emitMovements } from './movements.ts'
import { recordDispute } from './reputation.ts'

const drawDelay = 4
const whole = Number(bps)

/** Arbitration.register. */
export function register(frame: Frame, amount: bigint): void {
  performForWallet(frame, 'register', frame.from, { amount })
  const own = frame.state.own.edit('own')
  if (!own.roster.includes(frame.from)) own.roster = [...own.roster, frame.from]
  own.totalBonded += amount
  const { bond } = readCaller(frame)
  frame.emit('arbitration', 'ArbitratorRegistered', frame.from, amount, bond)
  frame.tokenLog()
}

/** Arbitration.requestUnbond. */
export function requestUnbond(frame: Frame): void {
  performForWallet(frame, 'requestUnbond', frame.from)
  frame.emit('arbitration', 'UnbondRequested', frame.from, readCaller(frame).unbondAt)
}

/** Arbitration.unbond. */
export function unbond(frame: Frame): void {
  const { bond } = readCaller(frame)
  performForWallet(frame, 'unbond', frame.from)
  frame.state.own.edit('own').totalBonded -= bond
  frame.emit('arbitration', 'Unbonded', frame.from, bond)
  frame.tokenLog()
}

/** Arbitration.withdraw. */
export function withdrawAward(frame: Frame, to: Address): void {
  const { awards } = readAgent(frame, frame.from)
  performForWallet(frame, 'withdrawSlashed', frame.from)
  frame.emit('arbitration', 'Withdrawn', frame.from, to, awards)
  frame.tokenLog()
}

/** Arbitration.propose. */
export function propose(frame: Frame, id: bigint, arbitrator: Address): void {
  const done = perform(frame, 'propose', id, { arbitrator }, buildTaskWorld(frame, id, [arbitrator]))
  frame.emit('arbitration', 'ArbitratorProposed', id, frame.from, arbitrator)
  if (done.dispute.phase === 'EVIDENCE') emitPanelSeated(done)
}

/** Arbitration.seat: schedules the draw, or makes it once its block has passed. */
export function seat(frame: Frame, id: bigint): void {
  const { drawBlock = 0, drawn = [] } = frame.state.disputes.get(id) ?? {}
  const drawPending = drawBlock !== 0 && frame.block <= drawBlock
  // A hash that the chain no longer remembers means that the draw must be scheduled again.
  const hash = drawBlock === 0 || drawPending ? null : frame.hashOf(drawBlock)
  const world = buildTaskWorld(frame, id, drawPending ? [] : readMarketEntry(frame).roster)
  const task = world.tasks[1]
  const panel = hash && task ? selectPanel(world, task, id, drawn, hash) : null
  const done = perform(frame, 'seat', id, { panel, drawPending }, world)
  if (panel) {
    emitPanelSeated(done)
    return
  }
  const next = { drawBlock: frame.block + drawDelay, drawn: listDrawWeights(world) }
  Object.assign(frame.state.disputes.edit(id), next)
  frame.emit('arbitration', 'DrawScheduled', id, next.drawBlock)
}

/** Arbitration.submitEvidence. */
export function submitEvidence(frame: Frame, id: bigint, evidenceHash: Hex): void {
  perform(frame, 'submitEvidence', id, { hashGiven: evidenceHash !== zeroHash })
  frame.emit('arbitration', 'EvidenceSubmitted', id, frame.from, evidenceHash)
}

/** Arbitration.resolve: one member's vote; the last vote makes the ruling. */
export function resolve(frame: Frame, id: bigint, workerBps: bigint, reasonHash: Hex): void {
  const done = perform(frame, 'resolve', id, { workerBps, hashGiven: reasonHash !== zeroHash })
  frame.emit('arbitration', 'VoteCast', id, frame.from, workerBps, reasonHash)
  if (done.dispute.phase === 'RULED') emitRuled(done)
}

/** Arbitration.escalate. */
export function escalate(frame: Frame, id: bigint): void {
  const done = perform(frame, 'escalate', id)
  const { tier, seatEnd, appeals } = done.dispute
  frame.emit('arbitration', 'Escalated', id, frame.from, tier, appeals.at(-1)?.bond, seatEnd)
  emitMovements(done)
}

/** Arbitration.finalize. */
export function finalize(frame: Frame, id: bigint): void {
  emitCaseClosed(perform(frame, 'finalize', id), false)
}

/** Arbitration.resolveTimedOut. */
export function resolveTimedOut(frame: Frame, id: bigint): void {
  const done = perform(frame, 'resolveTimedOut', id)
  const { phase, tier, seatEnd } = done.dispute
  emitMovements(done, { kinds: ['slashed'] })
  if (phase === 'RULED') emitRuled(done)
  else if (phase === 'CLOSED') emitCaseClosed(done, true)
  else frame.emit('arbitration', 'PanelReplaced', id, tier, seatEnd)
}

/** The events of Arbitration.open, which the registry calls. */
export function emitCaseOpened(done: Performed, evidenceHash: Hex): void {
  const { frame, id, dispute } = done
  const { round, consentEnd, seatEnd, phase } = dispute
  frame.emit('arbitration', 'CaseOpened', id, round, frame.from, evidenceHash, consentEnd, seatEnd)
  if (phase === 'EVIDENCE') emitPanelSeated(done)
}

/** The event of Arbitration.concede and abandon, which the registry calls. */
export function emitCaseWithdrawn(frame: Frame, id: bigint, conceded: boolean): void {
  frame.emit('arbitration', 'CaseWithdrawn', id, conceded)
}

function emitPanelSeated({ frame, id, dispute }: Performed): void {
  const { tier, bench, panelStart, evidenceEnd, rulingEnd } = dispute
  const panel = bench.slice(panelStart).map(({ arbitrator }) => arbitrator)
  frame.emit('arbitration', 'PanelSeated', id, tier, panel, evidenceEnd, rulingEnd)
}

function emitRuled({ frame, id, dispute: { tier, workerBps, appealEnd } }: Performed): void {
  frame.emit('arbitration', 'Ruled', id, tier, workerBps, appealEnd)
}

/** The case is closed, and the registry settles the task by its ruling. */
function emitCaseClosed(done: Performed, byRecord: boolean): void {
  const { frame, id, dispute, before } = done
  const { workerBps, poster, worker } = dispute
  frame.emit('arbitration', 'CaseClosed', id, workerBps, byRecord)
  emitMovements(done, { kinds: ['penalised'] })
  if (workerBps === 0) recordDispute(frame, id, poster, worker)
  if (workerBps === whole) recordDispute(frame, id, worker, poster)
  const amount = ((before.amounts[before.current] ?? 0n) * BigInt(workerBps)) / bps
  frame.emit('taskRegistry', 'TaskResolved', id, workerBps, amount)
  emitMovements(done, { kinds: afterPenalties })
}

const readCaller = ({ state, from }: Frame) => state.arbitrators.get(from) ?? { bond: 0n, unbondAt: 0 }
