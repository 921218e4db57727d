import type { Address } from 'viem'
import * as z from 'zod/mini'
import { clocks } from '../clocks.ts'
import type { Market } from '../market.ts'
import { marketParams } from '../params.ts'
import { pendingActions } from '../pendingActions.ts'
import { phaseOf, taskPhases } from '../phase.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import type { TaskRecord } from '../records/task.ts'
import { standingOf } from '../standingOf.ts'
import { readText } from '../taskText.ts'
import { termsWire } from '../terms.ts'
import type { TaskTerms } from '../typedData.ts'
import { disputeJson, disputeJsonOf } from './dispute.ts'
import { count, hashText, moment, momentOrNull, orNull } from './scalars.ts'
import { taskJson, taskJsonOf } from './task.ts'

/** A log that concerns a task. */
const timelineJson = z.object({
  event: z.string(),
  contract: z.string(),
  blockNumber: count,
  logIndex: count,
  timestamp: moment,
  transactionHash: hashText,
})

/** One task with all that is known of it. */
export const taskDetailJson = z.extend(taskJson, {
  criteriaHash: hashText,
  /** What the task waits for, at the time of the block. */
  phase: z.enum(taskPhases),
  /** The numbers both parties are bound to; the settlement digest is made of them and the worker. */
  terms: termsWire,
  /** What the poster published, word for word; null for a private task. Nobody has checked these words. */
  text: z.nullable(
    z.object({
      title: z.string(),
      criteria: z.string(),
      milestones: z.array(z.string()),
      /** Whether the words were read from the form that this service writes. */
      canonical: z.boolean(),
    }),
  ),
  /** When the clock that runs in each respect ends; null where it stands still. */
  deadlines: z.object({
    claim: momentOrNull,
    funding: momentOrNull,
    /** Until then only the poster may have the work begin. */
    vet: momentOrNull,
    /** The last moment to begin the work of a task that is paid in. */
    start: momentOrNull,
    milestone: momentOrNull,
    review: momentOrNull,
  }),
  /** What can happen next at the time of the block, who can do it, and until when. */
  pendingActions: z.array(
    z.object({ action: z.string(), by: z.enum(['poster', 'worker', 'anyone']), until: momentOrNull }),
  ),
  dispute: z.nullable(disputeJson),
  /** Its events in the order of the chain. */
  timeline: z.array(timelineJson),
})

export type TaskDetailJson = z.input<typeof taskDetailJson>

interface Detail {
  task: TaskRecord
  terms: TaskTerms
  text: string | null
  dispute: DisputeRecord | null
  timeline: readonly {
    name: string
    contract: string
    blockNumber: bigint
    logIndex: number
    timestamp: number
    transactionHash: string
  }[]
}

/** A task on the wire, at the time of the block it was read at. */
export function taskDetailJsonOf(
  { task, terms, text, dispute, timeline }: Detail,
  market: Market,
  registryAddress: Address,
  now: number,
): TaskDetailJson {
  const id = { market, number: task.number }
  const standing = standingOf(id, task, dispute)
  const end = (clock: 'claim' | 'funding' | 'milestone' | 'review', running: boolean) =>
    running ? orNull(clocks[clock].end?.(standing) ?? 0) : null
  const isClaimed = task.state === 'CLAIMED'
  const isPaidIn = task.funded === task.total
  const { vetWindow, fundingWindow } = marketParams[market]
  const vet = task.claimedAt + vetWindow
  return {
    ...taskJsonOf(task, market, registryAddress),
    criteriaHash: terms.criteriaHash,
    phase: phaseOf(task, marketParams[market], now) ?? 'SETTLED',
    terms: z.encode(termsWire, terms),
    text: text === null ? null : readText(text),
    deadlines: {
      claim: end('claim', task.state === 'POSTED'),
      funding: end('funding', isClaimed && !isPaidIn),
      vet: isClaimed && now <= vet ? vet : null,
      start: isClaimed && isPaidIn ? vet + fundingWindow : null,
      milestone: end('milestone', task.state === 'ACTIVE' && task.reviewEnd === 0),
      review: end('review', task.state === 'ACTIVE'),
    },
    pendingActions: pendingActions(id, task, dispute, now),
    dispute: dispute && disputeJsonOf(dispute),
    timeline: timeline.map(({ name, blockNumber, ...same }) => ({
      event: name,
      ...same,
      blockNumber: Number(blockNumber),
    })),
  }
}
