import { type MarketParams, type TaskTerms, taskStates } from '@svc/protocol'
import { bps, maxMilestones, maxRevisions } from '@svc/protocol/internal/money'
import { type Address, type Hex, zeroHash } from 'viem'
import { heldOf } from '../../model/world.ts'
import { keccakText } from '../hash.ts'
import { computeReceiptEnd } from '../times.ts'
import { emitCaseClosed, emitCaseOpened } from './arbitration.ts'
import { type Performed, perform, performEntry, performForWallet } from './engine.ts'
import { type Frame, refuseUnless } from './frame.ts'
import { costKinds, emitMovements, isVetted } from './movements.ts'
import { recordCompletion, recordDismissal, recordLapse, recordLeave } from './reputation.ts'
import type { TaskEntry } from './state.ts'

/** A signature as far as the simulation checks it: nonce and expiry. */
export interface SimSignature {
  nonce: bigint
  expiry: bigint
  data: Hex
}

/** A store's receipt as far as the simulation checks it: whether there is one, and how long it lasts. */
export interface SimReceipt {
  size: bigint
  until: bigint
  signature: Hex
}

const encodeState = (state: TaskEntry['state']) => taskStates.indexOf(state)
const requireWorker = ({ worker }: Readonly<TaskEntry>): Address => worker as Address

/** TaskRegistry.post. */
export function post(frame: Frame, terms: TaskTerms, text: string, fundAmount: bigint): void {
  refuseUnless(terms.poster === frame.from, 'PosterMismatch')
  refuseUnless(terms.scope === 0, 'WrongScope')
  refuseUnless(keccakText(text) === terms.criteriaHash, 'TextMismatch')
  checkTerms(terms, frame.params, frame.now)
  useNonce(frame, terms.poster, terms.nonce)
  const done = performEntry(frame, 'post', terms, { amount: fundAmount })
  const { id, task } = done
  frame.state.tasks.edit(id).text = text
  const digest = frame.digests.settlement(task.termsHash, null)
  frame.emit('taskRegistry', 'TaskPosted', id, terms.poster, task.total, digest, terms)
  frame.emit('taskScopeRegistry', 'TaskScopeSet', id, 0)
  frame.emit('taskScopeRegistry', 'TaskTextPublished', id, terms.criteriaHash, text)
  emitMovements(done, { feeFor: () => 'POST' })
}

/** TaskRegistry.create. */
export function create(
  frame: Frame,
  terms: TaskTerms,
  worker: Address,
  posterAcceptance: SimSignature,
  workerAcceptance: SimSignature,
): void {
  const { poster } = terms
  refuseUnless(terms.scope === 1, 'WrongScope')
  checkTerms(terms, frame.params, frame.now)
  useNonce(frame, poster, terms.nonce)
  useSignature(frame, poster, posterAcceptance)
  useSignature(frame, worker, workerAcceptance)
  const done = performEntry(frame, 'create', terms, { worker })
  const { id, task } = done
  const digest = frame.digests.settlement(task.termsHash, worker)
  frame.emit('taskRegistry', 'TaskCreated', id, poster, worker, task.total, digest, terms)
  frame.emit('taskScopeRegistry', 'TaskScopeSet', id, 1)
  emitMovements(done, { feeFor: (payer) => (payer === poster ? 'POST' : 'CLAIM') })
}

/** TaskRegistry.fund. */
export function fund(frame: Frame, id: bigint, amount: bigint): void {
  emitMovements(perform(frame, 'fund', id, { amount }))
}

/** TaskRegistry.allowWorker. */
export function allowWorker(frame: Frame, id: bigint, worker: Address): void {
  perform(frame, 'allowWorker', id, { worker })
  frame.emit('taskRegistry', 'WorkerAllowed', id, worker)
}

/** TaskRegistry.claim and claimWithPermit. */
export function claim(frame: Frame, id: bigint, digest: Hex, permit: SimSignature | null): void {
  const task = frame.state.tasks.get(id)
  const digestMatches = task !== undefined && digest === frame.digests.settlement(task.termsHash, frame.from)
  if (task && permit) useSignature(frame, task.poster, permit)
  const done = perform(frame, 'claim', id, { digestMatches, permitted: permit !== null })
  frame.emit('taskRegistry', 'TaskClaimed', id, frame.from, digest)
  emitMovements(done, { feeFor: () => 'CLAIM' })
}

/** TaskRegistry.activate. */
export function activate(frame: Frame, id: bigint): void {
  const { task } = perform(frame, 'activate', id)
  frame.emit('taskRegistry', 'TaskActivated', id, frame.from, task.deadline)
}

/** TaskRegistry.dismiss; of work that is under way it gives notice. */
export function dismiss(frame: Frame, id: bigint): void {
  const done = perform(frame, 'dismiss', id)
  const { before, task } = done
  const isNotice = before.state === 'ACTIVE'
  if (isNotice) frame.emit('taskRegistry', 'NoticeGiven', id, requireWorker(before), task.deadline)
  else frame.emit('taskRegistry', 'WorkerDismissed', id, requireWorker(before), encodeState(task.state))
  if (isNotice || isVetted(done)) recordDismissal(frame, id, frame.from)
  emitMovements(done, { feeFor: () => 'DISMISS' })
}

/** TaskRegistry.leaveTask. */
export function leaveTask(frame: Frame, id: bigint): void {
  const done = perform(frame, 'leaveTask', id)
  frame.emit('taskRegistry', 'WorkerLeft', id, frame.from, encodeState(done.task.state))
  recordLeave(frame, id, frame.from)
  emitMovements(done, { feeFor: () => 'LEAVE' })
}

/** TaskRegistry.markDelivered. */
export function markDelivered(frame: Frame, id: bigint, milestone: bigint, proofHash: Hex, receipt: SimReceipt): void {
  const args = { ...onMilestone(milestone, proofHash), receipt: checkReceipt(frame, id, receipt) }
  const done = perform(frame, 'markDelivered', id, args)
  frame.emit('taskRegistry', 'MilestoneDelivered', id, milestone, proofHash, done.task.reviewEnd)
  if (args.receipt !== 'none') emitReceipted(done, receipt)
}

/** TaskRegistry.requestRevision. */
export function requestRevision(frame: Frame, id: bigint, milestone: bigint, reasonHash: Hex): void {
  const { task } = perform(frame, 'requestRevision', id, onMilestone(milestone, reasonHash))
  frame.emit('taskRegistry', 'RevisionRequested', id, milestone, reasonHash, task.deadline)
}

/** TaskRegistry.release; in a dispute it concedes. */
export function release(frame: Frame, id: bigint, milestone: bigint): void {
  const done = perform(frame, 'release', id, { milestone: Number(milestone) })
  if (done.before.state !== 'DISPUTED') {
    emitAccepted(done, false)
    return
  }
  frame.emit('taskRegistry', 'DisputeConceded', id, milestone)
  emitMovements(done, { kinds: ['reserved'] })
  emitCaseClosed(done)
  emitAccepted(done, false)
}

/** TaskRegistry.complete. */
export function complete(frame: Frame, id: bigint): void {
  const done = perform(frame, 'complete', id)
  emitCompleted(done)
  emitMovements(done)
}

/** TaskRegistry.releaseLapsed. */
export function releaseLapsed(frame: Frame, id: bigint, milestone: bigint): void {
  emitAccepted(perform(frame, 'releaseLapsed', id, { milestone: Number(milestone) }), true)
}

/** TaskRegistry.cancel. */
export function cancel(frame: Frame, id: bigint): void {
  const done = perform(frame, 'cancel', id)
  frame.emit('taskRegistry', 'TaskCancelled', id, heldOf(done.before))
  emitMovements(done)
}

/** TaskRegistry.expire. */
export function expire(frame: Frame, id: bigint): void {
  const done = perform(frame, 'expire', id)
  const { before, task } = done
  frame.emit('taskRegistry', 'TaskExpired', id, encodeState(before.state), encodeState(task.state))
  // What was funded and not started is nobody's fault.
  if (before.state === 'CLAIMED' && !before.fundedAtClaim) recordLapse(frame, id, before.poster)
  // Under notice a worker that delivers nothing owes nothing.
  const owes = !before.underNotice || before.reviewEnd !== 0
  if (before.state === 'ACTIVE' && owes) recordLapse(frame, id, requireWorker(before))
  emitMovements(done, { feeFor: () => 'FORFEIT' })
}

/** TaskRegistry.mutualCancel. */
export function mutualCancel(
  frame: Frame,
  id: bigint,
  workerBps: bigint,
  posterSignature: SimSignature,
  workerSignature: SimSignature,
): void {
  const task = frame.state.tasks.get(id)
  refuseUnless(task !== undefined && task.worker !== null, 'WrongState')
  if (!task?.worker) return
  useSignature(frame, task.poster, posterSignature)
  useSignature(frame, task.worker, workerSignature)
  const done = perform(frame, 'mutualCancel', id, { workerBps })
  const amount = (heldOf(done.before) * workerBps) / bps
  frame.emit('taskRegistry', 'TaskMutuallyCancelled', id, workerBps, amount, encodeState(done.task.state))
  if (done.before.state === 'DISPUTED') emitCaseClosed(done)
  emitMovements(done, { except: costKinds })
}

/** TaskRegistry.openDispute. */
export function openDispute(frame: Frame, id: bigint, milestone: bigint, evidenceHash: Hex, shareBps: bigint): void {
  const done = perform(frame, 'openDispute', id, { ...onMilestone(milestone, evidenceHash), shareBps })
  frame.emit('taskRegistry', 'DisputeOpened', id, milestone, frame.from, evidenceHash)
  emitCaseOpened(done, evidenceHash)
  emitMovements(done)
}

/** TaskRegistry.pauseEntries and unpauseEntries, without a check of the caller. */
export function setPaused(frame: Frame, paused: boolean): void {
  performForWallet(frame, paused ? 'pauseEntries' : 'unpauseEntries', frame.from)
  frame.state.own.edit('own').paused = paused
  frame.emit('taskRegistry', paused ? 'Paused' : 'Unpaused', frame.from)
}

/** Spends a nonce: TaskRegistry.invalidateNonce, and part of every signature. */
export function useNonce(frame: Frame, account: Address, nonce: bigint): void {
  const key = `${account} ${nonce}`
  refuseUnless(!frame.state.nonces.get(key), 'NonceUsed')
  frame.state.nonces.edit(key)
  frame.emit('taskRegistry', 'NonceInvalidated', account, nonce)
}

function useSignature(frame: Frame, signer: Address, { nonce, expiry }: SimSignature): void {
  refuseUnless(frame.now <= expiry, 'SignatureExpired')
  useNonce(frame, signer, nonce)
}

/** The model takes terms as given; these are the registry's limits. */
function checkTerms(terms: TaskTerms, params: MarketParams, now: number): void {
  const within = (value: number, min: number, max: number) => value >= min && value <= max
  const { amounts, durations } = terms
  refuseUnless(
    within(amounts.length, 1, maxMilestones) && amounts.length === durations.length,
    'MilestoneCountOutOfRange',
  )
  const reviewWindow = Number(terms.reviewWindow)
  refuseUnless(within(reviewWindow, params.minReviewWindow, params.maxReviewWindow), 'ReviewWindowOutOfRange')
  refuseUnless(terms.maxRevisions <= maxRevisions, 'TooManyRevisions')
  const wait = Number(terms.claimDeadline) - now
  refuseUnless(within(wait, params.claimCutoff, params.maxClaimDeadline), 'ClaimDeadlineOutOfRange')
  refuseUnless(!amounts.includes(0n), 'AmountOutOfRange')
  const areInRange = durations.every((duration) => within(Number(duration), params.minDuration, params.maxDuration))
  refuseUnless(areInRange, 'DurationOutOfRange')
}

const onMilestone = (milestone: bigint, hash: Hex) => ({ milestone: Number(milestone), hashGiven: hash !== zeroHash })

/** What the guards see of a receipt. The simulation does not check its bytes. */
function checkReceipt(
  { state, params, now }: Frame,
  id: bigint,
  { size, until, signature }: SimReceipt,
): 'none' | 'valid' | 'empty' | 'short' {
  const task = state.tasks.get(id)
  if (signature === '0x' || !task) return 'none'
  if (size === 0n) return 'empty'
  return Number(until) < computeReceiptEnd(task, params, now) ? 'short' : 'valid'
}

function emitReceipted({ frame, id, task }: Performed, { size, until }: SimReceipt): void {
  const { current, store, reviewEnd } = task
  frame.emit('taskRegistry', 'DeliveryReceipted', id, current, store, size, until, reviewEnd)
}

/** Emits the events of a completed task, before anything moves. */
function emitCompleted({ frame, id, task }: Performed): void {
  frame.emit('taskRegistry', 'TaskCompleted', id, task.released)
  recordCompletion(frame, id, task.poster, requireWorker(task))
}

/** Emits the events of an accepted milestone; the last one completes the task. */
function emitAccepted(done: Performed, lapsed: boolean): void {
  const { frame, id, before, task } = done
  const amount = before.amounts[before.current]
  frame.emit('taskRegistry', 'MilestoneReleased', id, before.current, amount, lapsed, task.deadline)
  if (task.state === 'COMPLETED') emitCompleted(done)
  emitMovements(done, { except: [...costKinds, 'reserved'] })
}
