import type { TaskDetailJson } from '@svc/client'
import { taskStates } from '@svc/protocol'
import { zeroAddress } from 'viem'
import { taskText } from '../../text/task.ts'
import { isSameAddress } from './viewer.ts'

const labels = taskText.activity

type TimelineEvent = TaskDetailJson['timeline'][number]

/** What one transaction did to a task, in words. */
export interface Activity {
  at: number
  transactionHash: string
  /** Who did it; null if the sentence stands on its own. */
  who: string | null
  summary: string
  /** The contract events behind it. */
  events: readonly TimelineEvent[]
}

interface Format {
  tok: (wei: bigint) => string
  address: (address: string) => string
}

interface Told {
  who: string | null
  summary: string
}

/** What is known before an event: who works, and how often each milestone was delivered. */
interface Past {
  poster: string
  worker: string | null
  versions: Map<number, number>
}

/** Tells the events of a task in human words, one sentence per transaction, the newest first. */
export function describeActivity(task: Pick<TaskDetailJson, 'poster' | 'timeline'>, format: Format): Activity[] {
  const past: Past = { poster: task.poster, worker: null, versions: new Map() }
  const activities: Activity[] = []
  for (const [transactionHash, events] of Map.groupBy(task.timeline, (event) => event.transactionHash)) {
    for (const event of events) remember(past, event)
    const { who, summary } = tell(events, past, format)
    activities.push({ at: events[0]?.timestamp ?? 0, transactionHash, who, summary, events })
  }
  return activities.reverse()
}

function remember(past: Past, { event, args }: TimelineEvent): void {
  if (event === 'TaskClaimed' || event === 'TaskCreated') past.worker = String(args.worker)
  if (event !== 'MilestoneDelivered') return
  const milestone = Number(args.milestone)
  past.versions.set(milestone, 1 + (past.versions.get(milestone) ?? 0))
}

/** Tells what a transaction did by its most telling event. */
function tell(events: readonly TimelineEvent[], past: Past, format: Format): Told {
  const find = (name: string) => events.find(({ event }) => event === name)?.args
  for (const [name, say] of Object.entries(sentences)) {
    const args = find(name)
    if (!args) continue
    const sentence = say(args, { ...past, find, format })
    const resolved = name === 'TaskResolved' ? undefined : find('TaskResolved')
    return resolved
      ? { ...sentence, summary: `${sentence.summary}${labels.andResolved(format.tok(big(resolved.workerAmount)))}` }
      : sentence
  }
  return { who: null, summary: labels.other(splitName(events[0]?.event ?? '')) }
}

type Args = Readonly<Record<string, unknown>>
type Say = (args: Args, more: Past & { find: (name: string) => Args | undefined; format: Format }) => Told

const big = (value: unknown) => BigInt(String(value ?? 0))
const number = (args: Args) => Number(args.milestone) + 1
const address = (value: unknown) => (typeof value === 'string' ? value : null)
const percent = (bps: unknown) => `${Number(bps) / 100} %`
const splitName = (event: string) => {
  const split = event.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return split.charAt(0).toUpperCase() + split.slice(1)
}

/** A sentence for each event, the most telling first: a transaction is described by the first that it has. */
const sentences: Readonly<Record<string, Say>> = {
  TaskPosted: ({ poster }, { find, format }) => {
    const funded = find('TaskFunded')
    return {
      who: address(poster),
      summary: funded ? labels.postedFunded(format.tok(big(funded.amount))) : labels.posted,
    }
  },
  TaskCreated: ({ poster }) => ({ who: address(poster), summary: labels.created }),
  TaskFunded: ({ from, amount }, { format }) => ({
    who: address(from),
    summary: labels.funded(format.tok(big(amount))),
  }),
  TaskClaimed: ({ worker }) => ({ who: address(worker), summary: labels.claimed }),
  TaskActivated: ({ by }) => ({ who: address(by), summary: labels.started }),
  WorkerDismissed: ({ worker }, { poster, format }) => ({
    who: poster,
    summary: labels.removed(format.address(String(worker))),
  }),
  NoticeGiven: (_, { poster }) => ({ who: poster, summary: labels.noticeGiven }),
  WorkerAllowed: ({ worker }, { poster, format }) => ({
    who: poster,
    summary: isSameAddress(address(worker), zeroAddress)
      ? labels.allowedNobody
      : labels.allowed(format.address(String(worker))),
  }),
  WorkerLeft: ({ worker }) => ({ who: address(worker), summary: labels.left }),
  MilestoneReleased: (args, { poster, find, format }) => {
    const amount = format.tok(big(args.amount))
    if (args.lapsed === true) return { who: null, summary: labels.lapsed(number(args), amount) }
    return { who: poster, summary: (find('DisputeConceded') ? labels.conceded : labels.approved)(number(args), amount) }
  },
  TaskCompleted: ({ paid }, { poster, format }) => ({
    who: poster,
    summary: labels.completedAll(format.tok(big(paid))),
  }),
  MilestoneDelivered: (args, { worker, versions }) => ({
    who: worker,
    summary: labels.delivered(number(args), versions.get(Number(args.milestone)) ?? 1),
  }),
  DeliveryReceipted: (args) => ({ who: address(args.store), summary: labels.receipted(number(args)) }),
  RevisionRequested: (args, { poster }) => ({ who: poster, summary: labels.revision(number(args)) }),
  TaskCancelled: ({ refunded }, { poster, format }) => ({
    who: poster,
    summary: labels.cancelled(format.tok(big(refunded))),
  }),
  TaskExpired: ({ next }) => ({
    who: null,
    summary: taskStates[Number(next)] === 'POSTED' ? labels.reopened : labels.expired,
  }),
  TaskMutuallyCancelled: ({ workerBps, workerAmount }, { format }) => ({
    who: null,
    summary: labels.agreedEnd(percent(workerBps), format.tok(big(workerAmount))),
  }),
  DisputeOpened: (args, { poster, find }) => {
    const opened = find('CaseOpened')
    const isPoster = isSameAddress(address(args.opener), poster)
    return {
      who: address(args.opener),
      summary: opened
        ? labels.disputedShare(number(args), percent(opened.shareBps), isPoster)
        : labels.disputed(number(args)),
    }
  },
  Decided: ({ forWorker }) => ({ who: null, summary: labels.decided(forWorker === true) }),
  Ruled: ({ judge, forWorker }) => ({ who: address(judge), summary: labels.ruled(forWorker === true) }),
  Escalated: ({ appellant }) => ({ who: address(appellant), summary: labels.appealed }),
  EvidenceSubmitted: ({ party, shareBps }, { poster }) => ({
    who: address(party),
    summary: labels.evidence(percent(shareBps), isSameAddress(address(party), poster)),
  }),
  JudgeSeated: ({ judge }) => ({ who: address(judge), summary: labels.seated }),
  JudgeSteppedDown: ({ judge }) => ({ who: address(judge), summary: labels.steppedDown }),
  ArbitratorProposed: ({ party, arbitrator }, { format }) => ({
    who: address(party),
    summary: labels.proposed(format.address(String(arbitrator))),
  }),
  CourtCalled: () => ({ who: null, summary: labels.courtCalled }),
  TaskResolved: ({ workerBps, workerAmount }, { format }) => ({
    who: null,
    summary: labels.resolved(percent(workerBps), format.tok(big(workerAmount))),
  }),
}
