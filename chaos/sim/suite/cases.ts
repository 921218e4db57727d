import { bps, disputeFee, taskReserve } from '@svc/protocol'
import { type Address, type Hex, zeroHash } from 'viem'
import { penalise, refill, reserve, reserveOf, unreserve } from './deposits.ts'
import { check, type Frame, least } from './frame.ts'
import { disputeIn, maySit, medianOf, onlyCaseParty, removeSilent, seatOne } from './panels.ts'
import { recordDispute } from './reputation.ts'
import { type DisputeEntry, newDispute, type TaskEntry } from './state.ts'
import { endTask, taskIn } from './tasks.ts'

const topTier = 2
const whole = Number(bps)

/** Arbitration.open, by the registry. */
export function openCase(frame: Frame, task: Readonly<TaskEntry>, opener: Address, evidenceHash: Hex): void {
  const { number: taskId, poster, arbitrator: named } = task
  const worker = task.worker as Address
  const dispute = frame.state.disputes.edit(taskId)
  check(dispute.phase === 'NONE' || dispute.phase === 'CLOSED', 'WrongPhase')
  const consentEnd = frame.now + frame.params.consentWindow
  const seatEnd = consentEnd + frame.params.evidenceWindow
  Object.assign(dispute, newDispute(), {
    poster,
    worker,
    phase: 'OPEN',
    round: dispute.round + 1,
    posterSpoke: opener === poster,
    workerSpoke: opener === worker,
    consentEnd,
    seatEnd,
  })
  frame.emit('arbitration', 'CaseOpened', taskId, dispute.round, opener, evidenceHash, consentEnd, seatEnd)
  if (named && maySit(frame, dispute, named)) seatOne(frame, taskId, named)
  refill(frame, taskId, poster, taskReserve)
  refill(frame, taskId, worker, taskReserve)
}

/** Arbitration.concede, by the registry. */
export function concedeCase(frame: Frame, taskId: bigint): void {
  const dispute = withdrawCase(frame, taskId, true)
  collectAll(frame, taskId, dispute, whole, dispute.appeals.length)
  recordDispute(frame, taskId, dispute.worker, dispute.poster)
  if (dispute.appeals.length === 0) return
  unreserve(frame, taskId, dispute.worker)
  refill(frame, taskId, dispute.worker, taskReserve)
}

/** Arbitration.abandon, by the registry. */
export function abandonCase(frame: Frame, taskId: bigint): void {
  const { bench, poster, worker } = withdrawCase(frame, taskId, false)
  collect(frame, taskId, bench, poster, disputeFee / 2n)
  collect(frame, taskId, bench, worker, disputeFee / 2n)
}

/** Arbitration.submitEvidence. */
export function submitEvidence(frame: Frame, taskId: bigint, evidenceHash: Hex): void {
  const { phase, seatEnd, evidenceEnd, poster } = disputeIn(frame, taskId, 'OPEN', 'EVIDENCE')
  const dispute = frame.state.disputes.edit(taskId)
  onlyCaseParty(frame, dispute)
  check(evidenceHash !== zeroHash, 'HashMissing')
  check(frame.now <= (phase === 'OPEN' ? seatEnd : evidenceEnd), 'EvidenceWindowClosed')
  const isPoster = frame.from === poster
  check(!(isPoster ? dispute.posterSpoke : dispute.workerSpoke), 'AlreadySpoke')
  if (isPoster) dispute.posterSpoke = true
  else dispute.workerSpoke = true
  frame.emit('arbitration', 'EvidenceSubmitted', taskId, frame.from, evidenceHash)
}

/** Arbitration.resolve: one member's vote, and with the last the ruling. */
export function resolve(frame: Frame, taskId: bigint, workerBps: bigint, reasonHash: Hex): void {
  const { posterSpoke, workerSpoke, evidenceEnd, rulingEnd, panelStart } = disputeIn(frame, taskId, 'EVIDENCE')
  const dispute = frame.state.disputes.edit(taskId)
  const at = dispute.bench.findIndex(({ arbitrator }, index) => index >= panelStart && arbitrator === frame.from)
  const member = dispute.bench[at]
  check(member !== undefined, 'NotOnPanel')
  check(member?.voted === false, 'AlreadyVoted')
  check(workerBps <= bps, 'InvalidShare')
  check(reasonHash !== zeroHash, 'HashMissing')
  check((posterSpoke && workerSpoke) || frame.now > evidenceEnd, 'EvidenceWindowOpen')
  check(frame.now <= rulingEnd, 'RulingWindowClosed')
  dispute.bench = dispute.bench.with(at, { arbitrator: frame.from, voted: true, workerBps: Number(workerBps) })
  const arbitrator = frame.state.arbitrators.edit(frame.from)
  arbitrator.openCases--
  arbitrator.resolved++
  frame.emit('arbitration', 'VoteCast', taskId, frame.from, workerBps, reasonHash)
  if (dispute.bench.slice(panelStart).every(({ voted }) => voted)) rule(frame, taskId)
}

/** Arbitration.escalate. */
export function escalate(frame: Frame, taskId: bigint): void {
  const { tier, workerBps, appealEnd, worker } = disputeIn(frame, taskId, 'RULED')
  const dispute = frame.state.disputes.edit(taskId)
  onlyCaseParty(frame, dispute)
  check(tier < topTier, 'NoFurtherAppeal')
  check(frame.now <= appealEnd, 'AppealWindowClosed')
  check(workerBps !== (frame.from === worker ? whole : 0), 'NothingToAppeal')
  const bond = disputeFee << BigInt(tier + 1)
  const seatEnd = frame.now + frame.params.evidenceWindow
  Object.assign(dispute, {
    phase: 'OPEN',
    tier: tier + 1,
    reseated: false,
    posterSpoke: false,
    workerSpoke: false,
    consentEnd: frame.now,
    seatEnd,
    appeals: [...dispute.appeals, { appellant: frame.from, fromBps: workerBps, bond }],
  })
  frame.emit('arbitration', 'Escalated', taskId, frame.from, tier + 1, bond, seatEnd)
  reserve(frame, taskId, frame.from, reserveOf(frame, taskId, frame.from) + bond)
}

/** Arbitration.finalize. */
export function finalize(frame: Frame, taskId: bigint): void {
  const { appealEnd, workerBps } = disputeIn(frame, taskId, 'RULED')
  check(frame.now > appealEnd, 'AppealWindowOpen')
  closeCase(frame, taskId, workerBps, false)
}

/** Arbitration.resolveTimedOut. */
export function resolveTimedOut(frame: Frame, taskId: bigint): void {
  const { phase, seatEnd, rulingEnd, reseated, tier } = disputeIn(frame, taskId, 'OPEN', 'EVIDENCE')
  if (phase === 'OPEN') {
    check(frame.now > seatEnd, 'NotTimedOut')
    closeByRecord(frame, taskId)
    return
  }
  check(frame.now > rulingEnd, 'NotTimedOut')
  if (removeSilent(frame, taskId) > 0) rule(frame, taskId)
  else if (reseated) closeByRecord(frame, taskId)
  else {
    const newEnd = frame.now + frame.params.evidenceWindow
    Object.assign(frame.state.disputes.edit(taskId), { phase: 'OPEN', reseated: true, seatEnd: newEnd })
    frame.emit('arbitration', 'PanelReplaced', taskId, tier, newEnd)
  }
}

function rule(frame: Frame, taskId: bigint): void {
  const dispute = frame.state.disputes.edit(taskId)
  const workerBps = medianOf(dispute)
  const appealEnd = dispute.tier === topTier ? frame.now : frame.now + frame.params.appealWindow
  Object.assign(dispute, { phase: 'RULED', workerBps, appealEnd })
  frame.emit('arbitration', 'Ruled', taskId, dispute.tier, workerBps, appealEnd)
}

/** No panel ruled on this tier: an appeal leaves the ruling as it was, a first case goes to who alone spoke. */
function closeByRecord(frame: Frame, taskId: bigint): void {
  const { tier, workerBps, posterSpoke, workerSpoke } = disputeIn(frame, taskId, 'OPEN', 'EVIDENCE')
  const byRecord = posterSpoke === workerSpoke ? whole / 2 : workerSpoke ? whole : 0
  closeCase(frame, taskId, tier === 0 ? byRecord : workerBps, true)
}

function closeCase(frame: Frame, taskId: bigint, workerBps: number, byRecord: boolean): void {
  const dispute = frame.state.disputes.edit(taskId)
  const appeals = dispute.appeals.length
  const judged = byRecord && appeals > 0 ? appeals - 1 : appeals
  Object.assign(dispute, { phase: 'CLOSED', workerBps })
  frame.emit('arbitration', 'CaseClosed', taskId, workerBps, byRecord)
  collectAll(frame, taskId, dispute, workerBps, judged)
  if (workerBps === 0) recordDispute(frame, taskId, dispute.poster, dispute.worker)
  if (workerBps === whole) recordDispute(frame, taskId, dispute.worker, dispute.poster)
  settleDispute(frame, taskId, workerBps)
}

/** TaskRegistry.settleDispute, by arbitration. */
function settleDispute(frame: Frame, taskId: bigint, workerBps: number): void {
  const { amounts, current } = taskIn(frame, taskId, 'DISPUTED')
  const workerAmount = ((amounts[current] ?? 0n) * BigInt(workerBps)) / bps
  Object.assign(frame.state.tasks.edit(taskId), { workerBps, ruled: true })
  frame.emit('taskRegistry', 'TaskResolved', taskId, workerBps, workerAmount)
  endTask(frame, taskId, 'RESOLVED', workerAmount)
}

/** Ends a case that the parties settled; members who had not voted yet are free. */
function withdrawCase(frame: Frame, taskId: bigint, conceded: boolean): DisputeEntry {
  disputeIn(frame, taskId, 'OPEN', 'EVIDENCE', 'RULED')
  const dispute = frame.state.disputes.edit(taskId)
  dispute.phase = 'CLOSED'
  for (const { voted, arbitrator } of dispute.bench.slice(dispute.panelStart)) {
    if (!voted) frame.state.arbitrators.edit(arbitrator).openCases--
  }
  frame.emit('arbitration', 'CaseWithdrawn', taskId, conceded)
  return dispute
}

/** The loser's fee, or half of it from each, and the bonds of those of the first `judged` appeals that won nothing. */
function collectAll(
  frame: Frame,
  taskId: bigint,
  { poster, worker, appeals, bench }: Readonly<DisputeEntry>,
  workerBps: number,
  judged: number,
): void {
  let posterDue = workerBps === 0 ? 0n : workerBps === whole ? disputeFee : disputeFee / 2n
  let workerDue = disputeFee - posterDue
  for (const { appellant, fromBps, bond } of appeals.slice(0, judged)) {
    if (appellant === poster) {
      if (workerBps >= fromBps) posterDue += bond
    } else if (workerBps <= fromBps) workerDue += bond
  }
  collect(frame, taskId, bench, poster, posterDue)
  collect(frame, taskId, bench, worker, workerDue)
}

/** Shares what is due, as far as the payer's reserve goes, equally among the bench. */
function collect(frame: Frame, taskId: bigint, bench: DisputeEntry['bench'], payer: Address, due: bigint): void {
  if (bench.length === 0) return
  const share = least(due, reserveOf(frame, taskId, payer)) / BigInt(bench.length)
  if (share === 0n) return
  for (const { arbitrator } of bench) penalise(frame, taskId, payer, arbitrator, share)
}
