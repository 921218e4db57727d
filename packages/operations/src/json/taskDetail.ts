import { decodeTaskText, type Market, marketParams, type TaskTerms, termsWire } from '@svc/protocol'
import { buildTaskContext } from '@svc/protocol/actions'
import { deadlines } from '@svc/protocol/internal/actions'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { listPendingActions } from '@svc/protocol/internal/steps'
import { listTimelineBundles } from '@svc/protocol/internal/work'
import type { DisputeRecord } from '@svc/protocol/records'
import type { BundleKind } from '@svc/protocol/work'
import type { Address } from 'viem'
import * as z from 'zod'
import { bundleJson, formatBundle } from './bundle.ts'
import { disputeJson, formatDispute } from './dispute.ts'
import { formatEventArgs } from './event.ts'
import { count, hashText, moment, momentOrNull, orNull } from './scalars.ts'
import { formatTask, taskJson } from './task.ts'
import { termsJson } from './terms.ts'

/** A log that concerns a task. */
const timelineJson = z.object({
  event: z.string().describe('Name of the event, such as `TaskClaimed`.'),
  contract: z.string().describe('Name of the contract that emitted it.'),
  args: z
    .record(z.string(), z.unknown())
    .describe(
      'Arguments of the event by name, without the number, the terms and the text of the task. Integers of more than 48 bits are decimal strings.',
    ),
  bundle: z.nullable(bundleJson).describe('Bundle of work that the event puts on chain; null if none.'),
  blockNumber: count.describe('Number of its block.'),
  logIndex: count.describe('Index of its log in the block.'),
  timestamp: moment.describe('Time of its block, in unix seconds.'),
  transactionHash: hashText.describe('Hash of its transaction.'),
})

/** One task with everything that is known about it. */
export const taskDetailJson = taskJson
  .extend({
    criteriaHash: hashText.describe('Hash of the text.'),
    terms: termsJson.describe('The numbers that bind both parties; the settlement digest covers them and the worker.'),
    text: z
      .nullable(
        z.object({
          title: z.string().describe('Title of the task. Untrusted.'),
          criteria: z.string().describe('What the work must satisfy. Untrusted.'),
          milestones: z.array(z.string()).describe('Titles of the milestones. Untrusted.'),
          tags: z.array(z.string()).optional().describe('Tags of the task; absent if it has none. Untrusted.'),
          files: z
            .array(
              z.object({
                name: z.string().describe('Name of the file. Untrusted.'),
                type: z.string().describe('Media type that the poster claims. Untrusted.'),
                size: count.describe('Its bytes.'),
                sha256: z.string().optional().describe('SHA-256 of a file for everyone; absent for the worker only.'),
              }),
            )
            .optional()
            .describe('Files of the brief; absent if there are none. Their bytes are at the store.'),
          statement: z
            .object({
              message: z.string().describe('Sign-in message (EIP-4361) that names the reading key. Untrusted.'),
              signature: z.string().describe("The poster's signature over it."),
            })
            .optional()
            .describe(
              'Key statement of the poster, for whom deliveries are sealed; absent if there is none. Check it.',
            ),
          canonical: z.boolean().describe('True if the text has the canonical form that our tools write.'),
        }),
      )
      .describe('Text as the poster published it; null for a private task. Nobody has checked it.'),
    deadlines: z
      .object({
        claim: momentOrNull.describe('When claims end or ended; null if the task is not posted.'),
        funding: momentOrNull.describe('End of the funding window; null if it is not running.'),
        vet: momentOrNull.describe('Until then only the poster may start the work; null if not running.'),
        start: momentOrNull.describe('Latest start of a fully funded claim; null if not running.'),
        milestone: momentOrNull.describe('Delivery deadline of the current milestone; null if not running.'),
        review: momentOrNull.describe('End of the review window; null if not running.'),
      })
      .describe('When each running deadline ends, in unix seconds.'),
    pendingActions: z
      .array(
        z.object({
          action: z.string().describe('Name of the action.'),
          by: z.enum(['poster', 'worker', 'anyone']).describe('Who may do it.'),
          until: momentOrNull.describe('Until when, in unix seconds; null if there is no limit.'),
        }),
      )
      .describe("What can happen next, at the block's time."),
    dispute: z.nullable(disputeJson).describe('The last dispute; null if there was none.'),
    bundles: z.array(bundleJson).describe('Every bundle of work that the task has on chain, in chain order.'),
    timeline: z.array(timelineJson).describe('Events of the task, in chain order.'),
  })
  .describe('A task with its terms, text, deadlines, dispute and timeline.')

export type TaskDetailJson = z.input<typeof taskDetailJson>

const disputeKinds: readonly BundleKind[] = ['evidence', 'ruling']

interface Detail {
  task: TaskSnapshot
  terms: TaskTerms
  text: string | null
  dispute: DisputeRecord | null
  timeline: readonly {
    name: string
    contract: string
    args: object
    blockNumber: bigint
    logIndex: number
    timestamp: number
    transactionHash: string
  }[]
}

/** A task on the wire, at the time of the block it was read at. */
export function formatTaskDetail(
  { task, terms, text, dispute, timeline }: Detail,
  market: Market,
  { taskRegistry, finalCourt }: { taskRegistry: Address; finalCourt: Address },
  now: number,
): TaskDetailJson {
  const id = { market, number: task.number }
  const context = buildTaskContext(id, task, dispute)
  const end = (clock: 'claim' | 'funding' | 'milestone' | 'review', running: boolean) =>
    running ? orNull(deadlines[clock].end?.(context) ?? 0) : null
  const isClaimed = task.state === 'CLAIMED'
  const isPaidIn = task.funded === task.total
  const { vetWindow, fundingWindow } = marketParams[market]
  const vet = task.claimedAt + vetWindow
  const found = listTimelineBundles(timeline, finalCourt)
  const bundles = found.map((each) => ({ ...each, json: formatBundle(each, task.store) }))
  const disputeIndex = timeline.findLastIndex(({ name }) => name === 'DisputeOpened')
  const inDispute = bundles.filter(({ eventIndex, kind }) => eventIndex >= disputeIndex && disputeKinds.includes(kind))
  return {
    ...formatTask(task, market, taskRegistry, now),
    criteriaHash: terms.criteriaHash,
    terms: z.encode(termsWire, terms),
    text: text === null ? null : decodeTaskText(text),
    deadlines: {
      claim: end('claim', task.state === 'POSTED'),
      funding: end('funding', isClaimed && !isPaidIn),
      vet: isClaimed && now <= vet ? vet : null,
      start: isClaimed && isPaidIn ? task.claimedAt + fundingWindow : null,
      milestone: end('milestone', task.state === 'ACTIVE' && task.reviewEnd === 0),
      review: end('review', task.state === 'ACTIVE'),
    },
    pendingActions: listPendingActions(id, task, dispute, now),
    bundles: bundles.map(({ json }) => json),
    dispute:
      dispute &&
      formatDispute(
        dispute,
        inDispute.map(({ json }) => json),
      ),
    timeline: timeline.map(({ name, args, blockNumber, ...same }, index) => ({
      event: name,
      ...same,
      args: formatTimelineArgs(args),
      bundle: bundles.find(({ eventIndex }) => eventIndex === index)?.json ?? null,
      blockNumber: Number(blockNumber),
    })),
  }
}

/** What the task says itself is not repeated: the text is of a stranger, and the terms are long. */
function formatTimelineArgs(args: object): Record<string, unknown> {
  const { taskId: _, terms: __, text: ___, ...rest } = formatEventArgs(args)
  return rest
}
