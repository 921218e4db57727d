import { type Hex, zeroAddress } from 'viem'
import type { MilestoneRecord, TaskRecord } from '../records/task.ts'
import { claimPolicies, taskScopes, taskStates } from '../states.ts'
import type { TaskTerms } from '../typedData.ts'
import { applyCases, type Cases, MissingEntityError, nameAt } from './cases.ts'
import type { MarketEvent, MarketEvents } from './event.ts'
import { milestoneStateOf } from './milestones.ts'

/** A task as its events leave it: the record, and what only the posting log says. */
export interface FoldedTask extends TaskRecord {
  /** keccak256 of the task's text. */
  criteriaHash: Hex
  /** Of the terms. */
  nonce: bigint
  /** The digest without a worker: what `settlementDigest` goes back to when a worker goes. */
  openDigest: Hex
}

/** The task after an event; null stands for a task not posted yet. Refuses an event of a task that was never posted. */
export function applyTask(task: FoldedTask | null, event: MarketEvent): FoldedTask {
  if (event.kind === 'taskRegistry.TaskPosted' || event.kind === 'taskRegistry.TaskCreated') return bornOf(event)
  if (!task) throw new MissingEntityError('task', event)
  const next = applyCases(taskCases, task, event)
  return next === task ? task : { ...next, milestones: milestonesOf(next) }
}

/** The terms the parties agreed on, whole again: with a signing context they give the terms' hash and any digest. */
export function termsOf(task: FoldedTask): TaskTerms {
  return {
    poster: task.poster,
    amounts: task.milestones.map(({ amount }) => amount),
    durations: task.milestones.map(({ duration }) => BigInt(duration)),
    reviewWindow: BigInt(task.reviewWindow),
    maxRevisions: task.maxRevisions,
    arbitrator: task.arbitrator ?? zeroAddress,
    criteriaHash: task.criteriaHash,
    scope: taskScopes.indexOf(task.scope),
    claimPolicy: claimPolicies.indexOf(task.claimPolicy),
    claimDeadline: BigInt(task.claimDeadline),
    nonce: task.nonce,
  }
}

function bornOf(event: MarketEvents['taskRegistry.TaskPosted' | 'taskRegistry.TaskCreated']): FoldedTask {
  const { args, block } = event
  const { terms } = args
  const worker = 'worker' in args ? args.worker : null
  return {
    number: args.taskId,
    poster: args.poster,
    worker,
    state: worker ? 'CLAIMED' : 'POSTED',
    scope: nameAt(taskScopes, terms.scope),
    claimPolicy: nameAt(claimPolicies, terms.claimPolicy),
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
    total: args.totalAmount,
    funded: 0n,
    released: 0n,
    refunded: 0n,
    settlementDigest: args.settlementDigest,
    postedAt: block.timestamp,
    postedBlock: block.number,
    claimDeadline: Number(terms.claimDeadline),
    claimedAt: worker ? block.timestamp : 0,
    deadline: 0,
    reviewEnd: 0,
    workerBps: 0,
    ruled: false,
    criteriaHash: terms.criteriaHash,
    nonce: terms.nonce,
    openDigest: args.settlementDigest,
  }
}

/** Every later event of a task. */
export const taskCases: Cases<FoldedTask> = {
  'taskRegistry.TaskClaimed': (task, { args, block }) => ({
    ...task,
    state: 'CLAIMED',
    worker: args.worker,
    claimedAt: block.timestamp,
    settlementDigest: args.settlementDigest,
  }),
  'taskRegistry.TaskActivated': (task, { args }) => ({ ...task, state: 'ACTIVE', deadline: Number(args.deadline) }),
  'taskRegistry.WorkerDismissed': (task, { args }) => withoutWorker(task, args.next),
  'taskRegistry.WorkerLeft': (task, { args }) => withoutWorker(task, args.next),
  'taskRegistry.MilestoneDelivered': (task, { args }) => ({ ...task, reviewEnd: Number(args.reviewEnd) }),
  'taskRegistry.RevisionRequested': (task, { args }) => ({
    ...task,
    deadline: Number(args.deadline),
    revisions: task.revisions + 1,
    reviewEnd: 0,
  }),
  'taskRegistry.MilestoneReleased': (task, { args }) => ({
    ...task,
    current: Number(args.milestone) + 1,
    deadline: Number(args.deadline),
    reviewEnd: 0,
    revisions: 0,
  }),
  'taskRegistry.TaskCompleted': (task) => ({ ...task, state: 'COMPLETED', current: task.milestones.length }),
  'taskRegistry.TaskCancelled': (task) => ({ ...task, state: 'CANCELLED' }),
  'taskRegistry.TaskExpired': (task, { args }) => withoutWorker(task, args.next),
  'taskRegistry.TaskMutuallyCancelled': (task, { args }) => ({
    ...task,
    state: nameAt(taskStates, args.next),
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
}

/** A task that ends keeps its last worker; one that opens again forgets it. */
function withoutWorker(task: FoldedTask, next: number): FoldedTask {
  const state = nameAt(taskStates, next)
  if (state !== 'POSTED') return { ...task, state }
  return { ...task, state, worker: null, claimedAt: 0, settlementDigest: task.openDigest }
}

function milestonesOf(task: FoldedTask): readonly MilestoneRecord[] {
  return task.milestones.map((milestone, index) => ({ ...milestone, state: milestoneStateOf(task, index) }))
}
