import { disputeEndings } from '@svc/protocol'
import { appealFee, bps, computeJudgeLock } from '@svc/protocol/internal/money'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { type Performed, perform, performForWallet } from './engine.ts'
import { type Frame, readAgent, refuseUnless } from './frame.ts'
import { costKinds, emitMovements, pull } from './movements.ts'
import { recordDispute } from './reputation.ts'

const whole = Number(bps)

/** Arbitration.register. */
export function register(frame: Frame, amount: bigint): void {
  performForWallet(frame, 'register', frame.from, { amount })
  const own = frame.state.own.edit('own')
  if (!own.roster.includes(frame.from)) own.roster = [...own.roster, frame.from]
  own.totalBonded += amount
  const { bond } = readCaller(frame)
  frame.emit('arbitration', 'ArbitratorRegistered', frame.from, amount, bond)
  if (amount > 0n) pull(frame, frame.from, frame.arbitration)
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
  const amount = readAgent(frame, frame.from).awards
  refuseUnless(amount > 0n, 'NothingToWithdraw')
  frame.state.agents.edit(frame.from).awards = 0n
  frame.emit('arbitration', 'Withdrawn', frame.from, to, amount)
  frame.tokenLog()
}

/** Arbitration.propose: a party names an arbitrator, or a named one accepts. */
export function propose(frame: Frame, id: bigint, arbitrator: Address): void {
  const done = perform(frame, 'propose', id, { arbitrator })
  if (done.dispute.phase === 'EVIDENCE') emitJudgeSeated(done)
  else frame.emit('arbitration', 'ArbitratorProposed', id, frame.from, arbitrator)
}

/** Arbitration.stepDown. */
export function stepDown(frame: Frame, id: bigint): void {
  const done = perform(frame, 'stepDown', id)
  frame.emit('arbitration', 'JudgeSteppedDown', id, frame.from)
  emitJudgeFreed(done, frame.from)
  if (done.dispute.phase === 'COURT') emitCourtCalled(done)
}

/** Arbitration.submitEvidence: closes the case if the two shares meet. */
export function submitEvidence(frame: Frame, id: bigint, evidenceHash: Hex, shareBps: bigint): void {
  const done = perform(frame, 'submitEvidence', id, { shareBps, hashGiven: evidenceHash !== zeroHash })
  frame.emit('arbitration', 'EvidenceSubmitted', id, frame.from, evidenceHash, shareBps)
  if (done.dispute.phase === 'CLOSED') emitSettled(done)
}

/** Arbitration.resolve: the judge's ruling. */
export function resolve(frame: Frame, id: bigint, number: bigint, forWorker: boolean, reasonHash: Hex): void {
  const { dispute } = perform(frame, 'resolve', id, buildRuling(number, forWorker, reasonHash))
  frame.emit('arbitration', 'Ruled', id, frame.from, forWorker, reasonHash, dispute.appealEnd)
}

/** Arbitration.escalate. */
export function escalate(frame: Frame, id: bigint): void {
  const done = perform(frame, 'escalate', id)
  frame.emit('arbitration', 'Escalated', id, frame.from, appealFee)
  emitCourtCalled(done)
  emitMovements(done)
}

/** Arbitration.decide: the final court's decision. */
export function decide(frame: Frame, id: bigint, number: bigint, forWorker: boolean, reasonHash: Hex): void {
  const done = perform(frame, 'decide', id, buildRuling(number, forWorker, reasonHash))
  frame.emit('arbitration', 'Decided', id, forWorker, reasonHash)
  const first = countAppealCosts(done)
  emitMovements({ ...done, movements: done.movements.slice(0, first) }, { kinds: costKinds })
  emitSettled({ ...done, movements: done.movements.slice(first) }, forWorker)
}

/** Arbitration.finalize. */
export function finalize(frame: Frame, id: bigint): void {
  const done = perform(frame, 'finalize', id)
  emitSettled(done, done.dispute.forWorker)
}

/** Arbitration.resolveTimedOut. */
export function resolveTimedOut(frame: Frame, id: bigint): void {
  const judge = frame.state.disputes.get(id)?.judge ?? null
  const done = perform(frame, 'resolveTimedOut', id)
  const { phase, ruled, forWorker } = done.dispute
  if (phase === 'CLOSED') {
    emitSettled(done, ruled ? forWorker : null)
    return
  }
  if (judge) emitJudgeFreed(done, judge)
  emitCourtCalled(done)
  emitMovements(done)
}

/** The event of Arbitration.open, which the registry calls. */
export function emitCaseOpened({ frame, id, dispute }: Performed, evidenceHash: Hex): void {
  const { round, openedByPoster, offerBps, askBps, stake, consentEnd, evidenceEnd } = dispute
  const share = openedByPoster ? offerBps : askBps
  frame.emit('arbitration', 'CaseOpened', id, round, frame.from, evidenceHash, share, stake, consentEnd, evidenceEnd)
}

/** The events of the end of a case. Whoever lost a ruling, or gave everything up, gets a mark. */
export function emitCaseClosed(done: Performed, forWorker: boolean | null = null): void {
  const { frame, id, dispute } = done
  const { judge, ending, workerBps, poster, worker } = dispute
  const isAgreed = ending === 'SETTLED' || ending === 'CANCELLED'
  // Whoever agrees pays first.
  if (isAgreed) emitMovements(done, { kinds: ['penalised'] })
  if (judge) emitJudgeFreed(done, judge)
  frame.emit('arbitration', 'CaseClosed', id, workerBps, disputeEndings.indexOf(ending))
  if (!isAgreed) emitMovements(done, { kinds: ['penalised'] })
  if (ending === 'CONCEDED') recordDispute(frame, id, zeroAddress, workerBps === whole ? poster : worker)
  else if (forWorker !== null) recordDispute(frame, id, forWorker ? worker : poster, forWorker ? poster : worker)
  returnStake(done)
  emitMovements(done, { kinds: ['paid'] })
}

/** The case is closed, and the registry settles the task by it. `forWorker` tells who won, if somebody ruled. */
function emitSettled(done: Performed, forWorker: boolean | null = null): void {
  const { frame, id, dispute, task, movements } = done
  emitCaseClosed(done, forWorker)
  const paid = movements.filter(({ kind }) => kind === 'released')
  const workerAmount = paid.find(({ wallet }) => wallet === task.worker)?.amount ?? 0n
  const courtShare = paid.find(({ wallet }) => wallet !== task.worker)?.amount ?? 0n
  frame.emit('taskRegistry', 'TaskResolved', id, dispute.workerBps, workerAmount, courtShare)
  emitMovements(done, { except: costKinds, feeFor: () => 'FORFEIT' })
}

/** Counts the movements of an appeal that come before the case is closed: its fee and what an overturned judge loses. */
function countAppealCosts({ dispute, movements }: Performed): number {
  const slashed = movements.findIndex(({ kind }) => kind === 'slashed')
  return dispute.ruled ? Math.max(slashed, 0) + 1 : 0
}

const buildRuling = (number: bigint, forWorker: boolean, reasonHash: Hex) => ({
  number: Number(number),
  forWorker,
  hashGiven: reasonHash !== zeroHash,
})

function returnStake({ frame, stakeBefore }: Performed): void {
  if (stakeBefore > 0n) frame.state.own.edit('own').totalStakes -= stakeBefore
}

function emitJudgeSeated({ frame, id, dispute: { judge, amount, rulingEnd } }: Performed): void {
  frame.emit('arbitration', 'JudgeSeated', id, judge, computeJudgeLock(amount), rulingEnd)
}

function emitJudgeFreed({ frame, id, dispute: { amount } }: Performed, judge: Address): void {
  frame.emit('arbitration', 'JudgeFreed', id, judge, computeJudgeLock(amount))
}

function emitCourtCalled({ frame, id, dispute: { courtEnd } }: Performed): void {
  frame.emit('arbitration', 'CourtCalled', id, courtEnd)
}

const readCaller = ({ state, from }: Frame) => state.arbitrators.get(from) ?? { bond: 0n, unbondAt: 0 }
