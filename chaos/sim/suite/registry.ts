import { bps, entryDeposit, exitPenalty, pauseThreshold, type TaskTerms, taskReserve, taskStates } from '@svc/protocol'
import { type Address, type Hex, zeroHash } from 'viem'
import { keccakText } from '../hash.ts'
import { abandonCase, concedeCase, openCase } from './cases.ts'
import { penalise, refill, reserve, unreserve } from './deposits.ts'
import { heldOf, refundEscrow } from './escrow.ts'
import { check, type Frame } from './frame.ts'
import { chargeAccessFee } from './gateway.ts'
import { recordDismissal, recordLapse, recordLeave } from './reputation.ts'
import type { TaskEntry } from './state.ts'
import {
  acceptMilestone,
  afterClaim,
  checkDeposit,
  checkEntriesOpen,
  claimEnd,
  completeTask,
  disengage,
  endTask,
  engage,
  fundTask,
  onlyCurrent,
  onlyParty,
  onlyPoster,
  onlyWorker,
  penaliseExit,
  penaliseLatePoster,
  refundUnlessPosted,
  shareOfHeld,
  storeTask,
  taskIn,
  useNonce,
  workerOf,
} from './tasks.ts'

/** A signature as far as the simulation looks at it: that it is really the signer's is taken for granted. */
export interface SimSignature {
  nonce: bigint
  expiry: bigint
  data: Hex
}

const indexOf = (state: TaskEntry['state']) => taskStates.indexOf(state)

/** TaskRegistry.post. */
export function post(frame: Frame, terms: TaskTerms, text: string, fundAmount: bigint): void {
  checkEntriesOpen(frame)
  check(terms.poster === frame.from, 'PosterMismatch')
  check(terms.scope === 0, 'WrongScope')
  checkDeposit(frame, frame.from, entryDeposit)
  const task = storeTask(frame, terms, 'POSTED')
  const { number, total, termsHash } = task
  frame.emit('taskRegistry', 'TaskPosted', number, frame.from, total, frame.digests.settlement(termsHash, null), terms)
  check(keccakText(text) === terms.criteriaHash, 'TextMismatch')
  task.text = text
  frame.emit('taskScopeRegistry', 'TaskScopeSet', number, 0)
  frame.emit('taskScopeRegistry', 'TaskTextPublished', number, terms.criteriaHash, text)
  reserve(frame, number, frame.from, taskReserve)
  if (fundAmount !== 0n) fundTask(frame, task, fundAmount)
  chargeAccessFee(frame, number, frame.from, 'POST')
}

/** TaskRegistry.create. */
export function create(
  frame: Frame,
  terms: TaskTerms,
  worker: Address,
  posterAcceptance: SimSignature,
  workerAcceptance: SimSignature,
): void {
  checkEntriesOpen(frame)
  check(terms.scope === 1, 'WrongScope')
  check(worker !== terms.poster, 'WorkerIsPoster')
  checkDeposit(frame, terms.poster, entryDeposit)
  const { number, total, termsHash } = storeTask(frame, terms, 'CLAIMED')
  spend(frame, terms.poster, posterAcceptance)
  spend(frame, worker, workerAcceptance)
  const digest = frame.digests.settlement(termsHash, worker)
  frame.emit('taskRegistry', 'TaskCreated', number, terms.poster, worker, total, digest, terms)
  frame.emit('taskScopeRegistry', 'TaskScopeSet', number, 1)
  reserve(frame, number, terms.poster, taskReserve)
  engage(frame, number, worker)
  chargeAccessFee(frame, number, terms.poster, 'POST')
}

/** TaskRegistry.fund. */
export function fund(frame: Frame, taskId: bigint, amount: bigint): void {
  const task = taskIn(frame, taskId, 'POSTED', 'CLAIMED')
  onlyPoster(frame, task)
  if (task.state === 'POSTED') {
    checkEntriesOpen(frame)
    checkDeposit(frame, frame.from, pauseThreshold)
  } else check(frame.now <= task.claimedAt + frame.params.fundingWindow, 'FundingWindowClosed')
  reserve(frame, taskId, frame.from, taskReserve)
  fundTask(frame, task, amount)
}

/** TaskRegistry.claim. */
export function claim(frame: Frame, taskId: bigint, digest: Hex): void {
  const task = claimable(frame, taskId, digest)
  check(task.claimPolicy === 'ANYONE', 'ClaimPermitRequired')
  take(frame, taskId, digest)
}

/** TaskRegistry.claimWithPermit. */
export function claimWithPermit(frame: Frame, taskId: bigint, digest: Hex, permit: SimSignature): void {
  const task = claimable(frame, taskId, digest)
  spend(frame, task.poster, permit)
  take(frame, taskId, digest)
}

/** TaskRegistry.activate. */
export function activate(frame: Frame, taskId: bigint): void {
  const task = taskIn(frame, taskId, 'CLAIMED')
  onlyParty(frame, task)
  check(frame.from !== task.worker || frame.now > task.claimedAt + frame.params.vetWindow, 'VetWindowOpen')
  check(task.funded === task.total, 'NotFullyFunded')
  check(frame.now <= claimEnd(frame, task), 'StartWindowClosed')
  const deadline = frame.now + (task.durations[0] ?? 0)
  Object.assign(frame.state.tasks.edit(taskId), { state: 'ACTIVE', deadline })
  frame.emit('taskRegistry', 'TaskActivated', taskId, frame.from, deadline)
}

/** TaskRegistry.dismiss. */
export function dismiss(frame: Frame, taskId: bigint): void {
  const task = taskIn(frame, taskId, 'CLAIMED')
  onlyPoster(frame, task)
  const next = afterClaim(task, 'CANCELLED')
  frame.emit('taskRegistry', 'WorkerDismissed', taskId, workerOf(task), indexOf(next))
  recordDismissal(frame, taskId, frame.from)
  penaliseExit(frame, taskId, frame.from, workerOf(task))
  disengage(frame, taskId, next)
  if (next === 'POSTED') refill(frame, taskId, frame.from, taskReserve)
  chargeAccessFee(frame, taskId, frame.from, 'DISMISS')
  refundUnlessPosted(frame, task, next)
}

/** TaskRegistry.leaveTask. */
export function leaveTask(frame: Frame, taskId: bigint): void {
  const task = taskIn(frame, taskId, 'CLAIMED', 'ACTIVE')
  onlyWorker(frame, task)
  check(task.reviewEnd === 0, 'AlreadyDelivered')
  const next = task.state === 'CLAIMED' ? afterClaim(task, 'CANCELLED') : 'CANCELLED'
  frame.emit('taskRegistry', 'WorkerLeft', taskId, frame.from, indexOf(next))
  if (task.state === 'CLAIMED' && frame.now > claimEnd(frame, task)) {
    penaliseLatePoster(frame, task)
    disengage(frame, taskId, next)
  } else {
    recordLeave(frame, taskId, frame.from)
    penaliseExit(frame, taskId, frame.from, task.poster)
    disengage(frame, taskId, next)
    chargeAccessFee(frame, taskId, frame.from, 'LEAVE')
  }
  refundUnlessPosted(frame, task, next)
}

/** TaskRegistry.markDelivered. */
export function markDelivered(frame: Frame, taskId: bigint, milestone: bigint, proofHash: Hex): void {
  const task = taskIn(frame, taskId, 'ACTIVE')
  onlyWorker(frame, task)
  onlyCurrent(task, milestone)
  check(task.reviewEnd === 0, 'AlreadyDelivered')
  check(frame.now <= task.deadline, 'DeadlinePassed')
  check(proofHash !== zeroHash, 'HashMissing')
  const reviewEnd = frame.now + task.reviewWindow
  frame.state.tasks.edit(taskId).reviewEnd = reviewEnd
  frame.emit('taskRegistry', 'MilestoneDelivered', taskId, milestone, proofHash, reviewEnd)
}

/** TaskRegistry.requestRevision. */
export function requestRevision(frame: Frame, taskId: bigint, milestone: bigint, reasonHash: Hex): void {
  const task = taskIn(frame, taskId, 'ACTIVE')
  onlyPoster(frame, task)
  inReview(frame, task, milestone)
  check(task.revisions < task.maxRevisions, 'NoRevisionsLeft')
  check(reasonHash !== zeroHash, 'HashMissing')
  const deadline = Math.max(task.deadline, frame.now + task.reviewWindow)
  Object.assign(frame.state.tasks.edit(taskId), { deadline, revisions: task.revisions + 1, reviewEnd: 0 })
  frame.emit('taskRegistry', 'RevisionRequested', taskId, milestone, reasonHash, deadline)
}

/** TaskRegistry.release; in a dispute it concedes. */
export function release(frame: Frame, taskId: bigint, milestone: bigint): void {
  const task = taskIn(frame, taskId, 'ACTIVE', 'DISPUTED')
  onlyPoster(frame, task)
  onlyCurrent(task, milestone)
  if (task.state === 'DISPUTED') {
    frame.state.tasks.edit(taskId).state = 'ACTIVE'
    frame.emit('taskRegistry', 'DisputeConceded', taskId, milestone)
    concedeCase(frame, taskId)
  }
  acceptMilestone(frame, taskId, false)
}

/** TaskRegistry.complete. */
export function complete(frame: Frame, taskId: bigint): void {
  const task = taskIn(frame, taskId, 'ACTIVE')
  onlyPoster(frame, task)
  const rest = heldOf(frame, taskId)
  frame.state.tasks.edit(taskId).current = task.amounts.length
  frame.emit('taskRegistry', 'TaskCompleted', taskId, rest)
  completeTask(frame, task, rest)
}

/** TaskRegistry.releaseLapsed. */
export function releaseLapsed(frame: Frame, taskId: bigint, milestone: bigint): void {
  const task = taskIn(frame, taskId, 'ACTIVE')
  onlyCurrent(task, milestone)
  check(task.reviewEnd !== 0, 'NotDelivered')
  check(frame.now > task.reviewEnd, 'ReviewNotEnded')
  acceptMilestone(frame, taskId, true)
}

/** TaskRegistry.cancel. */
export function cancel(frame: Frame, taskId: bigint): void {
  const task = taskIn(frame, taskId, 'POSTED')
  onlyPoster(frame, task)
  frame.emit('taskRegistry', 'TaskCancelled', taskId, heldOf(frame, taskId))
  withdrawTask(frame, taskId, 'CANCELLED')
}

/** TaskRegistry.expire. */
export function expire(frame: Frame, taskId: bigint): void {
  const task = taskIn(frame, taskId, 'POSTED', 'CLAIMED', 'ACTIVE')
  const expired = (next: TaskEntry['state']) =>
    frame.emit('taskRegistry', 'TaskExpired', taskId, indexOf(task.state), indexOf(next))
  if (task.state === 'POSTED') {
    check(frame.now > task.claimDeadline - frame.params.claimCutoff, 'NotExpired')
    expired('EXPIRED')
    withdrawTask(frame, taskId, 'EXPIRED')
  } else if (task.state === 'CLAIMED') {
    check(frame.now > claimEnd(frame, task), 'NotExpired')
    const next = afterClaim(task, 'EXPIRED')
    expired(next)
    penaliseLatePoster(frame, task)
    disengage(frame, taskId, next)
    refundUnlessPosted(frame, task, next)
  } else {
    check(task.reviewEnd === 0, 'AlreadyDelivered')
    check(frame.now > task.deadline, 'NotExpired')
    expired('EXPIRED')
    recordLapse(frame, taskId, workerOf(task))
    penalise(frame, taskId, workerOf(task), task.poster, exitPenalty)
    endTask(frame, taskId, 'EXPIRED', 0n)
  }
}

/** TaskRegistry.mutualCancel. */
export function mutualCancel(
  frame: Frame,
  taskId: bigint,
  workerBps: bigint,
  posterSignature: SimSignature,
  workerSignature: SimSignature,
): void {
  const task = taskIn(frame, taskId, 'CLAIMED', 'ACTIVE', 'DISPUTED')
  check(workerBps <= bps, 'InvalidShare')
  spend(frame, task.poster, posterSignature)
  spend(frame, workerOf(task), workerSignature)
  const disputed = task.state === 'DISPUTED'
  const next = disputed ? 'RESOLVED' : 'CANCELLED'
  const workerAmount = shareOfHeld(frame, taskId, workerBps)
  frame.state.tasks.edit(taskId).workerBps = Number(workerBps)
  frame.emit('taskRegistry', 'TaskMutuallyCancelled', taskId, workerBps, workerAmount, indexOf(next))
  if (disputed) abandonCase(frame, taskId)
  endTask(frame, taskId, next, workerAmount)
}

/** TaskRegistry.openDispute. */
export function openDispute(frame: Frame, taskId: bigint, milestone: bigint, evidenceHash: Hex): void {
  const task = taskIn(frame, taskId, 'ACTIVE')
  onlyParty(frame, task)
  inReview(frame, task, milestone)
  check(evidenceHash !== zeroHash, 'HashMissing')
  frame.state.tasks.edit(taskId).state = 'DISPUTED'
  frame.emit('taskRegistry', 'DisputeOpened', taskId, milestone, frame.from, evidenceHash)
  openCase(frame, task, frame.from, evidenceHash)
}

/** TaskRegistry.invalidateNonce. */
export function invalidateNonce(frame: Frame, nonce: bigint): void {
  useNonce(frame, frame.from, nonce)
}

/** TaskRegistry.pauseEntries and unpauseEntries; that the caller may is taken for granted. */
export function setPaused(frame: Frame, paused: boolean): void {
  const own = frame.state.own.edit('own')
  check(own.paused !== paused, paused ? 'EnforcedPause' : 'ExpectedPause')
  own.paused = paused
  frame.emit('taskRegistry', paused ? 'Paused' : 'Unpaused', frame.from)
}

function claimable(frame: Frame, taskId: bigint, digest: Hex): Readonly<TaskEntry> {
  const task = taskIn(frame, taskId, 'POSTED')
  check(frame.from !== task.poster, 'PosterCannotClaim')
  checkEntriesOpen(frame)
  check(digest === frame.digests.settlement(task.termsHash, frame.from), 'DigestMismatch')
  check(frame.now <= task.claimDeadline - frame.params.claimCutoff, 'ClaimClosed')
  return task
}

function take(frame: Frame, taskId: bigint, digest: Hex): void {
  frame.state.tasks.edit(taskId).state = 'CLAIMED'
  frame.emit('taskRegistry', 'TaskClaimed', taskId, frame.from, digest)
  engage(frame, taskId, frame.from)
}

function withdrawTask(frame: Frame, taskId: bigint, next: TaskEntry['state']): void {
  const task = frame.state.tasks.edit(taskId)
  task.state = next
  unreserve(frame, taskId, task.poster)
  refundEscrow(frame, taskId, task.poster)
}

function inReview(frame: Frame, task: Readonly<TaskEntry>, milestone: bigint): void {
  onlyCurrent(task, milestone)
  check(task.reviewEnd !== 0, 'NotDelivered')
  check(frame.now <= task.reviewEnd, 'ReviewEnded')
}

function spend(frame: Frame, signer: Address, { nonce, expiry }: SimSignature): void {
  check(frame.now <= expiry, 'SignatureExpired')
  useNonce(frame, signer, nonce)
}
