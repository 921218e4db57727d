import { disputeEndings, formatTaskId, type Market } from '@svc/protocol'
import { market as marketName } from '@svc/protocol/internal/base'
import type { TrackRecord } from '@svc/protocol/internal/fold'
import { reputationFormula } from '@svc/protocol/internal/people'
import type { AgentRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import * as z from 'zod'
import { agentJson, formatAgent } from './reputation.ts'
import { count, moment, momentOrNull, taskIdText } from './scalars.ts'

/** The most disputes that a track record lists. */
const maxDisputes = 100

/** A dispute of a wallet, in short. */
export const recordedDisputeJson = z.object({
  taskId: taskIdText.describe('Disputed task.'),
  round: count.describe('Number of this dispute of the task, from 1.'),
  role: z.enum(['poster', 'worker']).describe('Part of the wallet.'),
  openedByWallet: z.boolean().describe('True if the wallet opened it.'),
  ending: z.enum(disputeEndings).describe('How it ended; NONE while it is open.'),
  outcome: z
    .nullable(z.enum(['won', 'lost']))
    .describe(
      'What the reputation contract recorded for the wallet; null if nobody ruled and it did not give in, or while it is open.',
    ),
  workerBps: z
    .nullable(count)
    .describe("The worker's share that it ended with, in basis points; null while it is open."),
  openedAt: moment.describe('When it was opened, in unix seconds.'),
  closedAt: momentOrNull.describe('When it was closed, in unix seconds; null while it is open.'),
})

/** The median of times. */
export const medianJson = z.object({
  seconds: z.nullable(count).describe('Median, in seconds, rounded down; null if there is none.'),
  count: count.describe('How many times it is the median of.'),
})

/** Which events each number comes from. `address` stands for the wallet. */
const sourceFilters = {
  completed: { path: '/api/market/events', event: 'CompletionRecorded' },
  paid: { path: '/api/market/events', event: 'PaymentRecorded' },
  distinctCounterparties: { path: '/api/market/events', event: 'CompletionRecorded' },
  disputes: { path: '/api/market/events', event: 'DisputeRecorded' },
  leaves: { path: '/api/market/events', event: 'LeaveRecorded' },
  dismissals: { path: '/api/market/events', event: 'DismissalRecorded' },
  lapses: { path: '/api/market/events', event: 'LapseRecorded' },
  review: { path: '/api/poster/tasks' },
  payment: { path: '/api/poster/tasks' },
  openAsPoster: { path: '/api/poster/tasks' },
  openAsWorker: { path: '/api/worker/tasks' },
} as const

/** A number of a track record that has a link to where it comes from. */
export type RecordSource = keyof typeof sourceFilters

const sourceJson = z.string().regex(/^\/api\/[a-z/]+\?/)
const sourceNames = Object.keys(sourceFilters) as RecordSource[]
const sourceFields = {
  completed: sourceJson.describe('Events of completed tasks.'),
  paid: sourceJson.describe('Events of payments.'),
  distinctCounterparties: sourceJson.describe('Events of completed tasks, which name the other wallet.'),
  disputes: sourceJson.describe('Events of disputes that were won or lost.'),
  leaves: sourceJson.describe('Events of tasks that the wallet left.'),
  dismissals: sourceJson.describe('Events of workers that the wallet dismissed.'),
  lapses: sourceJson.describe('Events of duties that the wallet missed.'),
  review: sourceJson.describe('Tasks whose reviews were timed.'),
  payment: sourceJson.describe('Tasks whose payments were timed.'),
  openAsPoster: sourceJson.describe('Tasks that the wallet posted.'),
  openAsWorker: sourceJson.describe('Tasks that the wallet took.'),
} satisfies Record<RecordSource, typeof sourceJson>

/** Links from the numbers of a track record to where they come from. */
export const sourcesJson = z.object(sourceFields)

/** What a wallet did in one market. */
export const trackRecordJson = z
  .object({
    ...agentJson.shape,
    market: marketName.check(z.describe('Market of the record.')),
    formula: z.string().describe('How the score is computed.'),
    firstSeen: z
      .nullable(
        z.object({
          at: moment.describe('Time, in unix seconds.'),
          taskId: taskIdText.describe('That task.'),
        }),
      )
      .describe('When the wallet first posted or took a task; null if it never did.'),
    openAsPoster: z.array(taskIdText).describe('Running tasks that it posted, newest first.'),
    openAsWorker: z.array(taskIdText).describe('Running tasks that it works on, newest first.'),
    review: medianJson.describe(
      'As poster: time from a delivery to its answer. A payment because the review lapsed counts as an answer.',
    ),
    payment: medianJson.describe('As poster: time from the first delivery of a milestone to its payment.'),
    unansweredNotices: count.describe(
      'As worker: tasks that it ended without a delivery after the poster gave notice.',
    ),
    disputes: z.array(recordedDisputeJson).describe(`Disputes as a party, newest first, at most ${maxDisputes}.`),
    truncated: z
      .boolean()
      .describe(
        'True if the wallet has posted or taken more than 100 tasks. Counters are over all tasks; open tasks, medians and disputes are of the newest 100 of each role.',
      ),
    sources: sourcesJson.describe(
      'Where each number comes from: paths of this API that list the events or the tasks behind it.',
    ),
  })
  .describe('What a wallet did in one market, computed from the chain.')

export type TrackRecordJson = z.infer<typeof trackRecordJson>

/** What readers return for a wallet. */
interface FoundRecord {
  agent: AgentRecord
  record: TrackRecord
  firstSeen: { task: bigint; timestamp: number } | null
  truncated: boolean
}

/** A track record on the wire. */
export function formatTrackRecord(
  { agent, record, firstSeen, truncated }: FoundRecord,
  market: Market,
): TrackRecordJson {
  const formatId = (number: bigint) => formatTaskId({ market, number })
  return {
    ...formatAgent(agent),
    market,
    formula: reputationFormula,
    firstSeen: firstSeen && { at: firstSeen.timestamp, taskId: formatId(firstSeen.task) },
    openAsPoster: record.openAsPoster.map(formatId),
    openAsWorker: record.openAsWorker.map(formatId),
    review: record.review,
    payment: record.payment,
    unansweredNotices: record.unansweredNotices,
    disputes: record.disputes.slice(0, maxDisputes).map(({ task, ...dispute }) => ({
      taskId: formatId(task),
      ...dispute,
    })),
    truncated,
    sources: formatSources(agent.address, market),
  }
}

function formatSources(address: Address, market: Market): Record<RecordSource, string> {
  const format = (filter: { path: string; event?: string }) => {
    const query = new URLSearchParams({ market, address })
    // Events are listed from the first one: a page with a filter looks through some events only.
    if (filter.event)
      for (const [name, value] of [
        ['event', filter.event],
        ['cursor', '0:0'],
      ] as const)
        query.set(name, value)
    return `${filter.path}?${query}`
  }
  const entries = sourceNames.map((name) => [name, format(sourceFilters[name])] as const)
  return Object.fromEntries(entries) as Record<RecordSource, string>
}
