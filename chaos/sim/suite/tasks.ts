import {
  bps,
  claimPolicies,
  entryDeposit,
  exitPenalty,
  maxMilestones,
  maxRevisions,
  type TaskState,
  type TaskTerms,
  taskReserve,
  taskScopes,
} from '@svc/protocol'
import { type Address, zeroAddress } from 'viem'
import { penalise, reserve, unreserve } from './deposits.ts'
import { fundEscrow, heldOf, refundEscrow, releaseEscrow } from './escrow.ts'
import { agentOf, check, type Frame, ownOf } from './frame.ts'
import { chargeAccessFee } from './gateway.ts'
import { recordCompletion, recordLapse, recordPayment } from './reputation.ts'
import type { TaskEntry } from './state.ts'

/** A task that exists, in one of these states. */
export function taskIn({ state }: Frame, taskId: bigint, ...states: TaskState[]): Readonly<TaskEntry> {
  const task = state.tasks.get(taskId)
  if (!task || task.state === 'NONE') check(false, 'TaskNotFound')
  check(states.length === 0 || states.includes((task as TaskEntry).state), 'WrongState')
  return task as TaskEntry
}

/** The worker of a task that has one. */
export function workerOf({ worker, number }: Readonly<TaskEntry>): Address {
  if (!worker) throw new Error(`Task ${number} has no worker.`)
  return worker
}

export const onlyPoster = ({ from }: Frame, task: Readonly<TaskEntry>) => check(task.poster === from, 'NotPoster')
export const onlyWorker = ({ from }: Frame, task: Readonly<TaskEntry>) => check(task.worker === from, 'NotWorker')
export const onlyParty = ({ from }: Frame, task: Readonly<TaskEntry>) =>
  check(task.poster === from || task.worker === from, 'NotParty')
export const onlyCurrent = (task: Readonly<TaskEntry>, milestone: bigint) =>
  check(Number(milestone) === task.current, 'NotCurrentMilestone')

/** Spends a nonce. */
export function useNonce(frame: Frame, account: Address, nonce: bigint): void {
  const key = `${account} ${nonce}`
  check(!frame.state.nonces.get(key), 'NonceUsed')
  frame.state.nonces.edit(key)
  frame.emit('taskRegistry', 'NonceInvalidated', account, nonce)
}

/** Until when a claim stands. */
export function claimEnd({ params }: Frame, { claimedAt, funded, total }: Readonly<TaskEntry>): number {
  return claimedAt + params.fundingWindow + (funded === total ? params.vetWindow : 0)
}

/** Where an open task goes when its claim falls away, and a private one. */
export const afterClaim = ({ scope }: Readonly<TaskEntry>, terminal: TaskState): TaskState =>
  scope === 'PRIVATE' ? terminal : 'POSTED'

export const checkDeposit = (frame: Frame, agent: Address, needed: bigint) =>
  check(agentOf(frame, agent).deposit >= needed, 'DepositTooLow')

/** Checks the terms, spends their nonce and stores them as a new task. */
export function storeTask(frame: Frame, terms: TaskTerms, state: TaskState): TaskEntry {
  const { params, now } = frame
  const count = terms.amounts.length
  const within = (value: number, min: number, max: number) => value >= min && value <= max
  check(within(count, 1, maxMilestones) && count === terms.durations.length, 'MilestoneCountOutOfRange')
  const reviewWindow = Number(terms.reviewWindow)
  check(within(reviewWindow, params.minReviewWindow, params.maxReviewWindow), 'ReviewWindowOutOfRange')
  check(terms.maxRevisions <= maxRevisions, 'TooManyRevisions')
  const claimDeadline = Number(terms.claimDeadline)
  const inTime = within(claimDeadline, now + params.claimCutoff, now + params.maxClaimDeadline)
  check(inTime, 'ClaimDeadlineOutOfRange')
  useNonce(frame, terms.poster, terms.nonce)
  const durations = terms.durations.map(Number)
  check(!terms.amounts.includes(0n), 'AmountOutOfRange')
  check(
    durations.every((duration) => within(duration, params.minDuration, params.maxDuration)),
    'DurationOutOfRange',
  )
  const own = frame.state.own.edit('own')
  own.taskCount += 1n
  const task = frame.state.tasks.edit(own.taskCount)
  return Object.assign(task, {
    poster: terms.poster,
    state,
    scope: taskScopes[terms.scope],
    claimPolicy: claimPolicies[terms.claimPolicy],
    amounts: terms.amounts,
    durations,
    maxRevisions: terms.maxRevisions,
    reviewWindow,
    total: terms.amounts.reduce((sum, amount) => sum + amount, 0n),
    claimDeadline,
    arbitrator: terms.arbitrator === zeroAddress ? null : terms.arbitrator,
    postedAt: now,
    postedBlock: frame.block,
    termsHash: frame.digests.terms(terms),
    terms,
  })
}

/** The poster's TOK into the escrow. */
export function fundTask(frame: Frame, { number, poster, total, funded }: Readonly<TaskEntry>, amount: bigint): void {
  check(amount > 0n && amount <= total - funded, 'AmountNotMissing')
  frame.emit('taskRegistry', 'TaskFunded', number, poster, amount)
  fundEscrow(frame, number, poster, amount)
}

/** Takes a worker on: a slot, the reserves of both sides, the worker's fee. */
export function engage(frame: Frame, taskId: bigint, worker: Address): void {
  checkDeposit(frame, worker, entryDeposit)
  const { deposit, liveClaims } = agentOf(frame, worker)
  check(BigInt(liveClaims) < BigInt(frame.params.baseClaims) + (deposit - entryDeposit) / taskReserve, 'NoFreeSlot')
  frame.state.agents.edit(worker).liveClaims++
  const task = frame.state.tasks.edit(taskId)
  task.worker = worker
  task.claimedAt = frame.now
  reserve(frame, taskId, worker, taskReserve)
  if (task.funded === task.total) reserve(frame, taskId, task.poster, taskReserve)
  else check(task.posterReserve >= 2n * exitPenalty, 'InsufficientDeposit')
  chargeAccessFee(frame, taskId, worker, 'CLAIM')
}

/** Lets a worker go; the task opens again or ends. */
export function disengage(frame: Frame, taskId: bigint, next: TaskState): void {
  const task = frame.state.tasks.edit(taskId)
  const worker = workerOf(task)
  task.state = next
  frame.state.agents.edit(worker).liveClaims--
  unreserve(frame, taskId, worker)
  if (next === 'POSTED') {
    task.worker = null
    task.claimedAt = 0
  } else unreserve(frame, taskId, task.poster)
}

export function refundUnlessPosted(frame: Frame, task: Readonly<TaskEntry>, next: TaskState): void {
  if (next !== 'POSTED') refundEscrow(frame, task.number, task.poster)
}

/** From the escrow to the worker. */
function pay(frame: Frame, task: Readonly<TaskEntry>, amount: bigint): void {
  recordPayment(frame, task.number, task.poster, workerOf(task), amount)
  releaseEscrow(frame, task.number, workerOf(task), amount)
}

/** The end of a task with a worker: reserves go back, the worker gets its amount, the poster the rest. */
export function endTask(frame: Frame, taskId: bigint, next: TaskState, workerAmount: bigint): void {
  disengage(frame, taskId, next)
  const task = taskIn(frame, taskId)
  pay(frame, task, workerAmount)
  refundEscrow(frame, taskId, task.poster)
}

export function completeTask(frame: Frame, task: Readonly<TaskEntry>, amount: bigint): void {
  recordCompletion(frame, task.number, task.poster, workerOf(task))
  endTask(frame, task.number, 'COMPLETED', amount)
}

/** Pays the milestone in work and goes on to the next, or ends the task. */
export function acceptMilestone(frame: Frame, taskId: bigint, lapsed: boolean): void {
  const task = frame.state.tasks.edit(taskId)
  const milestone = task.current
  const amount = task.amounts[milestone] ?? 0n
  const last = milestone + 1 === task.amounts.length
  const deadline = last ? 0 : frame.now + (task.durations[milestone + 1] ?? 0)
  Object.assign(task, { current: milestone + 1, deadline, reviewEnd: 0, revisions: 0 })
  frame.emit('taskRegistry', 'MilestoneReleased', taskId, milestone, amount, lapsed, deadline)
  if (last) {
    frame.emit('taskRegistry', 'TaskCompleted', taskId, 0n)
    completeTask(frame, task, amount)
  } else pay(frame, task, amount)
}

export function penaliseExit(frame: Frame, taskId: bigint, leaver: Address, other: Address): void {
  penalise(frame, taskId, leaver, other, exitPenalty)
  penalise(frame, taskId, leaver, frame.treasury, exitPenalty)
}

/** Makes the worker's fee good when the money did not come. */
export function penaliseLatePoster(frame: Frame, task: Readonly<TaskEntry>): void {
  if (task.funded === task.total) return
  recordLapse(frame, task.number, task.poster)
  penalise(frame, task.number, task.poster, workerOf(task), exitPenalty)
}

/** The worker's share of what the escrow holds. */
export const shareOfHeld = (frame: Frame, taskId: bigint, workerBps: bigint) =>
  (heldOf(frame, taskId) * workerBps) / bps

export const checkEntriesOpen = (frame: Frame) => check(!ownOf(frame).paused, 'EnforcedPause')
