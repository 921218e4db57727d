import { type Address, type Hex, zeroAddress } from 'viem'
import type { MilestoneRecord, TaskRecord } from '../records/task.ts'
import { claimPolicies, taskScopes, taskStates } from '../tasks/states.ts'
import type { TaskTerms } from '../terms/typedData.ts'
import type { MarketEvent, MarketEvents } from './event.ts'
import { type EventHandlers, handleEvent, MissingEntityError, requireEnumName } from './eventHandlers.ts'
import { deriveMilestoneState } from './milestones.ts'

/** A task folded from its events: the record, what only the event of its creation contains, and what other storage holds of it. */
export interface FoldedTask extends TaskRecord {
  /** keccak256 of the task's text. */
  criteriaHash: Hex
  /** The nonce of the terms. */
  nonce: bigint
  /** The digest without a worker. `settlementDigest` returns to it when a worker leaves. */
  openDigest: Hex
  /** The part of the poster's deposit that the task reserves, in USDC units. */
  posterReserve: bigint
  /** Whom the poster lets claim without a signed permit; null unless the task is posted. */
  allowedWorker: Address | null
  /** The hash of the delivery in review; null if nothing is. */
  proofHash: Hex | null
}

/**
 * Applies an event to a task. Pass null for a task that does not exist yet. Throws {@link MissingEntityError} for an event of a
 * task that was never created.
 *
 * @example
 * ```ts
 * const task = applyTask(null, taskPosted)
 * ```
 */
export function applyTask(task: FoldedTask | null, event: MarketEvent): FoldedTask {
  if (event.kind === 'taskRegistry.TaskPosted' || event.kind === 'taskRegistry.TaskCreated')
    return createFoldedTask(event)
  if (!task) throw new MissingEntityError('task', event)
  const next = handleEvent(taskHandlers, task, event)
  return next === task ? task : { ...next, milestones: deriveMilestones(next) }
}

/**
 * Extracts the terms of a task. With a signing context, they give the settlement digest for any worker.
 *
 * @example
 * ```ts
 * const digest = computeSettlementDigest(context, extractTaskTerms(task), worker)
 * ```
 */
export function extractTaskTerms(task: FoldedTask): TaskTerms {
  return {
    poster: task.poster,
    amounts: task.milestones.map(({ amount }) => amount),
    durations: task.milestones.map(({ duration }) => BigInt(duration)),
    reviewWindow: BigInt(task.reviewWindow),
    maxRevisions: task.maxRevisions,
    arbitrator: task.arbitrator ?? zeroAddress,
    store: task.store ?? zeroAddress,
    criteriaHash: task.criteriaHash,
    scope: taskScopes.indexOf(task.scope),
    claimPolicy: claimPolicies.indexOf(task.claimPolicy),
    claimDeadline: BigInt(task.claimDeadline),
    nonce: task.nonce,
  }
}

function createFoldedTask(event: MarketEvents['taskRegistry.TaskPosted' | 'taskRegistry.TaskCreated']): FoldedTask {
  const { args, block } = event
  const { terms } = args
  const worker = 'worker' in args ? args.worker : null
  return {
    number: args.taskId,
    poster: args.poster,
    worker,
    state: worker ? 'CLAIMED' : 'POSTED',
    scope: requireEnumName(taskScopes, terms.scope),
    claimPolicy: requireEnumName(claimPolicies, terms.claimPolicy),
    milestones: terms.amounts.map((amount, index) => ({
      amount,
      duration: Number(terms.durations[index]),
      state: 'OPEN',
    })),
    current: 0,
    maxRevisions: terms.maxRevisions,
    revisions: 0,
    reviewWindow: Number(terms.reviewWindow),
    arbitrator: terms.arbitrator === zeroAddress ? null : terms.arbitrator,
    store: terms.store === zeroAddress ? null : terms.store,
    receipted: false,
    underNotice: false,
    total: args.totalAmount,
    funded: 0n,
    released: 0n,
    refunded: 0n,
    settlementDigest: args.settlementDigest,
    postedAt: block.timestamp,
    postedBlock: block.number,
    claimDeadline: Number(terms.claimDeadline),
    claimedAt: worker ? block.timestamp : 0,
    fundedAtClaim: false,
    deadline: 0,
    reviewEnd: 0,
    workerBps: 0,
    ruled: false,
    criteriaHash: terms.criteriaHash,
    nonce: terms.nonce,
    openDigest: args.settlementDigest,
    posterReserve: 0n,
    allowedWorker: null,
    proofHash: null,
  }
}

/** The handlers of all later events of a task. */
export const taskHandlers: EventHandlers<FoldedTask> = {
  'taskRegistry.WorkerAllowed': (task, { args }) => ({
    ...task,
    allowedWorker: args.worker === zeroAddress ? null : args.worker,
  }),
  'taskRegistry.TaskClaimed': (task, { args, block }) => ({
    ...task,
    allowedWorker: null,
    state: 'CLAIMED',
    worker: args.worker,
    claimedAt: block.timestamp,
    fundedAtClaim: task.funded === task.total,
    settlementDigest: args.settlementDigest,
  }),
  'taskRegistry.TaskActivated': (task, { args }) => ({ ...task, state: 'ACTIVE', deadline: Number(args.deadline) }),
  'taskRegistry.WorkerDismissed': (task, { args }) => withoutWorker(task, args.next),
  'taskRegistry.NoticeGiven': (task, { args }) => ({ ...task, underNotice: true, deadline: Number(args.deadline) }),
  'taskRegistry.WorkerLeft': (task, { args }) => withoutWorker(task, args.next),
  'taskRegistry.MilestoneDelivered': (task, { args }) => ({
    ...task,
    reviewEnd: Number(args.reviewEnd),
    proofHash: args.proofHash,
  }),
  'taskRegistry.DeliveryReceipted': (task, { args }) => ({
    ...task,
    reviewEnd: Number(args.reviewEnd),
    receipted: true,
  }),
  'taskRegistry.RevisionRequested': (task, { args }) => ({
    ...task,
    deadline: Number(args.deadline),
    revisions: task.revisions + 1,
    ...nothingInReview,
  }),
  'taskRegistry.MilestoneReleased': (task, { args }) => ({
    ...task,
    current: Number(args.milestone) + 1,
    deadline: Number(args.deadline),
    revisions: 0,
    ...nothingInReview,
  }),
  // After the payment of a last milestone no deadline runs. Otherwise the poster accepted everything.
  'taskRegistry.TaskCompleted': (task) => ({
    ...task,
    state: 'COMPLETED',
    current: task.deadline === 0 ? task.current : task.milestones.length,
  }),
  'taskRegistry.TaskCancelled': (task) => ({ ...task, state: 'CANCELLED', allowedWorker: null }),
  'taskRegistry.TaskExpired': (task, { args }) => withoutWorker(task, args.next),
  'taskRegistry.TaskMutuallyCancelled': (task, { args }) => ({
    ...task,
    state: requireEnumName(taskStates, args.next),
    workerBps: Number(args.workerBps),
  }),
  'taskRegistry.DisputeOpened': (task) => ({ ...task, state: 'DISPUTED' }),
  'taskRegistry.DisputeConceded': (task) => ({ ...task, state: 'ACTIVE' }),
  'taskRegistry.TaskResolved': (task, { args }) => ({
    ...task,
    state: 'RESOLVED',
    workerBps: Number(args.workerBps),
    ruled: true,
  }),
  'escrowVault.Funded': (task, { args }) => ({ ...task, funded: task.funded + args.amount }),
  'escrowVault.Released': (task, { args }) => ({ ...task, released: task.released + args.amount }),
  'escrowVault.Refunded': (task, { args }) => ({ ...task, refunded: task.refunded + args.amount }),
  'depositVault.Reserved': (task, { args }) => withReserve(task, args.agent, args.amount),
  'depositVault.Unreserved': (task, { args }) => withReserve(task, args.agent, -args.amount),
  'depositVault.Penalised': (task, { args }) => withReserve(task, args.agent, -args.amount),
}

const nothingInReview = { reviewEnd: 0, receipted: false, proofHash: null }

function withReserve(task: FoldedTask, agent: Address, change: bigint): FoldedTask {
  return agent === task.poster ? { ...task, posterReserve: task.posterReserve + change } : task
}

/** A task that ends keeps its last worker. A task that goes back to POSTED has none. */
function withoutWorker(task: FoldedTask, next: number): FoldedTask {
  const state = requireEnumName(taskStates, next)
  if (state !== 'POSTED') return { ...task, state, allowedWorker: null }
  return { ...task, state, worker: null, claimedAt: 0, fundedAtClaim: false, settlementDigest: task.openDigest }
}

function deriveMilestones(task: FoldedTask): readonly MilestoneRecord[] {
  return task.milestones.map((milestone, index) => ({ ...milestone, state: deriveMilestoneState(task, index) }))
}
