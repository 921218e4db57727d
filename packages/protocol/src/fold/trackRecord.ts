import { type Address, isAddressEqual } from 'viem'
import { type DisputeEnding, disputeEndings, liveStates, type TaskState, taskStates } from '../tasks/states.ts'
import type { EventKind, MarketEvent, MarketEvents } from './event.ts'
import { requireEnumName } from './eventHandlers.ts'

/** The median of some durations. */
interface MedianTime {
  /** Seconds, rounded down; null if there is none. */
  seconds: number | null
  /** How many durations it is the median of. */
  count: number
}

/** A dispute that a wallet was a party of. */
export interface TrackedDispute {
  task: bigint
  /** The number of this dispute of the task, from 1. */
  round: number
  role: 'poster' | 'worker'
  openedByWallet: boolean
  /** NONE while it is open. */
  ending: DisputeEnding
  /** What the reputation contract recorded; null if nobody won or it is open. */
  outcome: 'won' | 'lost' | null
  /** The worker's share that it ended with, in basis points; null while it is open. */
  workerBps: number | null
  /** Unix seconds; null while it is open. */
  openedAt: number
  closedAt: number | null
}

/** What the events of a wallet's tasks say about it, beyond the counters of the reputation contract. */
export interface TrackRecord {
  /** Running tasks that it posted and that it works on, newest first. */
  openAsPoster: readonly bigint[]
  openAsWorker: readonly bigint[]
  /** As poster: from a delivery to the answer, also if the review lapsed. */
  review: MedianTime
  /** As poster: from the first delivery of a milestone to its payment. */
  payment: MedianTime
  /** As worker: tasks that ended without a delivery after the poster gave notice. */
  unansweredNotices: number
  /** Newest first. */
  disputes: readonly TrackedDispute[]
}

interface TaskDraft {
  poster: Address
  worker: Address | null
  isLive: boolean
  /** When the delivery in review was made; null if none is. */
  deliveredAt: number | null
  firstDeliveredAt: number | null
  /** The poster has ended the work. */
  underNotice: boolean
  /** The last dispute, while it is open. */
  dispute: TrackedDispute | null
}

interface RecordDraft {
  wallet: Address
  tasks: Map<bigint, TaskDraft>
  reviews: number[]
  payments: number[]
  unansweredNotices: number
  disputes: TrackedDispute[]
}

type Handlers = { readonly [kind in EventKind]?: (draft: RecordDraft, event: MarketEvents[kind]) => void }

const isLive = (state: TaskState) => liveStates.some((each) => each === state)

const startTask = (draft: RecordDraft, number: bigint, poster: Address, worker: Address | null) => {
  const nothing = { deliveredAt: null, firstDeliveredAt: null, underNotice: false, dispute: null }
  draft.tasks.set(number, { poster, worker, isLive: true, ...nothing })
}

/** A task that goes back to POSTED has no worker; one that ends keeps its last. */
const loseWorker = (draft: RecordDraft, { args }: { args: { taskId: bigint; next: number } }) => {
  const task = draft.tasks.get(args.taskId)
  if (!task) return
  const state = requireEnumName(taskStates, args.next)
  task.isLive = isLive(state)
  if (state === 'POSTED') task.worker = null
  task.deliveredAt = null
  task.firstDeliveredAt = null
}

const endTask = (draft: RecordDraft, { args }: { args: { taskId: bigint } }) => {
  const task = draft.tasks.get(args.taskId)
  if (task) task.isLive = false
}

/** Counts the answer to the delivery in review, if the wallet had to give it. */
const answerDelivery = ({ wallet, reviews }: RecordDraft, task: TaskDraft, now: number) => {
  if (task.deliveredAt !== null && task.poster === wallet) reviews.push(now - task.deliveredAt)
  task.deliveredAt = null
}

const handlers: Handlers = {
  'taskRegistry.TaskPosted': (draft, { args }) => startTask(draft, args.taskId, args.poster, null),
  'taskRegistry.TaskCreated': (draft, { args }) => startTask(draft, args.taskId, args.poster, args.worker),
  'taskRegistry.TaskClaimed': ({ tasks }, { args }) => {
    const task = tasks.get(args.taskId)
    if (task) task.worker = args.worker
  },
  'taskRegistry.WorkerDismissed': loseWorker,
  'taskRegistry.WorkerLeft': loseWorker,
  'taskRegistry.NoticeGiven': ({ tasks }, { args }) => {
    const task = tasks.get(args.taskId)
    if (task) task.underNotice = true
  },
  'taskRegistry.TaskExpired': (draft, event) => {
    const task = draft.tasks.get(event.args.taskId)
    if (task?.underNotice && task.deliveredAt === null && task.worker === draft.wallet) draft.unansweredNotices++
    loseWorker(draft, event)
  },
  'taskRegistry.MilestoneDelivered': ({ tasks }, { args, block }) => {
    const task = tasks.get(args.taskId)
    if (!task) return
    task.deliveredAt = block.timestamp
    task.firstDeliveredAt ??= block.timestamp
  },
  'taskRegistry.RevisionRequested': (draft, { args, block }) => {
    const task = draft.tasks.get(args.taskId)
    if (task) answerDelivery(draft, task, block.timestamp)
  },
  'taskRegistry.MilestoneReleased': (draft, { args, block }) => {
    const task = draft.tasks.get(args.taskId)
    if (!task) return
    answerDelivery(draft, task, block.timestamp)
    if (task.firstDeliveredAt !== null && task.poster === draft.wallet)
      draft.payments.push(block.timestamp - task.firstDeliveredAt)
    task.firstDeliveredAt = null
  },
  // A dispute that the poster opens is an answer. One that the worker opens ends the review without one.
  'taskRegistry.DisputeOpened': (draft, { args, block }) => {
    const task = draft.tasks.get(args.taskId)
    if (task && isAddressEqual(args.opener, task.poster)) answerDelivery(draft, task, block.timestamp)
    else if (task) task.deliveredAt = null
  },
  'taskRegistry.TaskCompleted': endTask,
  'taskRegistry.TaskCancelled': endTask,
  'taskRegistry.TaskResolved': endTask,
  'taskRegistry.TaskMutuallyCancelled': ({ tasks }, { args }) => {
    const task = tasks.get(args.taskId)
    if (task) task.isLive = isLive(requireEnumName(taskStates, args.next))
  },
  'arbitration.CaseOpened': ({ wallet, tasks, disputes }, { args, block }) => {
    const task = tasks.get(args.taskId)
    if (!task || (task.poster !== wallet && task.worker !== wallet)) return
    task.dispute = {
      task: args.taskId,
      round: Number(args.number),
      role: task.poster === wallet ? 'poster' : 'worker',
      openedByWallet: args.opener === wallet,
      ending: 'NONE',
      outcome: null,
      workerBps: null,
      openedAt: block.timestamp,
      closedAt: null,
    }
    disputes.push(task.dispute)
  },
  'arbitration.CaseClosed': ({ tasks }, { args, block }) => {
    const dispute = tasks.get(args.taskId)?.dispute
    if (!dispute) return
    dispute.ending = requireEnumName(disputeEndings, args.ending)
    dispute.workerBps = Number(args.workerBps)
    dispute.closedAt = block.timestamp
  },
  'reputationRegistry.DisputeRecorded': ({ wallet, tasks }, { args }) => {
    const dispute = tasks.get(args.taskId)?.dispute
    if (!dispute) return
    if (args.winner === wallet) dispute.outcome = 'won'
    else if (args.loser === wallet) dispute.outcome = 'lost'
  },
}

/** The kinds of events that {@link computeTrackRecord} uses. Readers need no others. */
export const trackRecordEvents = Object.keys(handlers) as readonly EventKind[]

/**
 * Computes the track record of a wallet from the events of tasks that it took part in, in the order of the chain. Other events
 * change nothing.
 *
 * @example
 * ```ts
 * const { review, disputes } = computeTrackRecord(wallet, events.sort(compareEvents))
 * ```
 */
export function computeTrackRecord(wallet: Address, events: Iterable<MarketEvent>): TrackRecord {
  const draft: RecordDraft = { wallet, tasks: new Map(), reviews: [], payments: [], unansweredNotices: 0, disputes: [] }
  for (const event of events) {
    const handle = handlers[event.kind] as ((draft: RecordDraft, event: MarketEvent) => void) | undefined
    handle?.(draft, event)
  }
  const listOpen = (role: 'poster' | 'worker') =>
    [...draft.tasks]
      .flatMap(([number, task]) => (task.isLive && task[role] === wallet ? [number] : []))
      .sort((a, b) => (a < b ? 1 : -1))
  return {
    openAsPoster: listOpen('poster'),
    openAsWorker: listOpen('worker'),
    review: computeMedian(draft.reviews),
    payment: computeMedian(draft.payments),
    unansweredNotices: draft.unansweredNotices,
    disputes: draft.disputes.reverse(),
  }
}

/** The median of some durations, in seconds. */
export function computeMedian(durations: readonly number[]): MedianTime {
  const sorted = durations.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  const [below, above] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]]
  const seconds = below === undefined || above === undefined ? null : Math.floor((below + above) / 2)
  return { seconds, count: sorted.length }
}
