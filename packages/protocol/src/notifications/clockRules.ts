import type { DeadlineKind } from '../actions/action.ts'
import { marketParams } from '../money/params.ts'
import { formatTime } from '../money/units.ts'
import { noticeTime } from '../tasks/guards.ts'
import type { DisputePhase, TaskState } from '../tasks/states.ts'
import { type Clock, type ClockRule, formatTaskName, type Reminder, type RuleContext } from './rule.ts'

/** A reminder of a clock, with how much time is left. */
const remind = (left: string, end: Clock['end'], what: string, urgency: Reminder['urgency']): Reminder => ({
  urgency,
  title: (c) => `${left} left: ${formatTaskName(c)}`,
  text: (c) => `${what} by ${formatTime(end(c))}.`,
})

/** Reminds when a quarter of the time is left, and in the last hour. */
const countdown = (end: Clock['end'], what: string): Clock['reminders'] => ({
  quarter: remind('A quarter of the time is', end, what, 'action'),
  hour: remind('Less than an hour is', end, what, 'urgent'),
})

const isInReview = ({ task }: RuleContext) => task.reviewEnd !== 0
const silencePays = ({ task }: RuleContext) => task.receipted || task.store === null

const claimEnd: Clock['end'] = ({ task, market }) => task.claimDeadline - marketParams[market].claimCutoff
const fundingEnd: Clock['end'] = ({ task, market }) => task.claimedAt + marketParams[market].fundingWindow
const workEnd: Clock['end'] = (c) => (isInReview(c) || c.task.underNotice ? 0 : c.task.deadline)
const noticeEnd: Clock['end'] = (c) => (isInReview(c) || !c.task.underNotice ? 0 : c.task.deadline)
const reviewEnd: Clock['end'] = ({ task }) => task.reviewEnd
const graceEnd: Clock['end'] = ({ task, market }) => task.reviewEnd + noticeTime(task, marketParams[market])
const evidenceEnd: Clock['end'] = ({ dispute }) => dispute?.evidenceEnd ?? 0
const rulingEnd: Clock['end'] = ({ dispute }) => dispute?.rulingEnd ?? 0
const appealEnd: Clock['end'] = ({ dispute }) => dispute?.appealEnd ?? 0
const courtEnd: Clock['end'] = ({ dispute }) => dispute?.courtEnd ?? 0

const ended = { silent: 'The task has ended.' }

/** The clocks of each state of a task. */
export const stateClocks: Readonly<Record<TaskState, ClockRule>> = {
  NONE: { silent: 'There is no task.' },
  POSTED: {
    clocks: [
      {
        name: 'claim',
        to: ({ task }) => [task.poster],
        end: claimEnd,
        reminders: {
          over: {
            urgency: 'action',
            title: (c) => `Nobody claimed ${formatTaskName(c)}`,
            text: () => 'Claims are closed. Cancel the task to get your money back, or post it again.',
          },
        },
      },
    ],
  },
  CLAIMED: {
    clocks: [
      {
        name: 'funding',
        to: ({ task }) => [task.poster],
        end: fundingEnd,
        reminders: countdown(fundingEnd, 'Lock the pay and start the work'),
      },
      {
        name: 'start',
        to: ({ task }) => (task.funded >= task.total ? [task.worker] : []),
        end: fundingEnd,
        reminders: countdown(fundingEnd, 'Start the work, or the claim ends'),
      },
    ],
  },
  ACTIVE: {
    clocks: [
      {
        name: 'work',
        to: ({ task }) => [task.worker],
        end: workEnd,
        reminders: countdown(workEnd, 'Deliver your work'),
      },
      {
        name: 'notice',
        to: ({ task }) => [task.worker],
        end: noticeEnd,
        reminders: countdown(noticeEnd, 'Deliver what you have'),
      },
      {
        name: 'review',
        to: ({ task }) => [task.poster],
        end: reviewEnd,
        reminders: countdown(reviewEnd, 'Approve the work, request changes or open a dispute'),
      },
      {
        name: 'payment',
        to: (c) => (isInReview(c) && silencePays(c) ? [c.task.worker] : []),
        end: reviewEnd,
        reminders: {
          over: {
            urgency: 'action',
            title: (c) => `You can be paid for ${formatTaskName(c)}`,
            text: () => 'The review is over and the poster did not answer. Anyone can release the payment now.',
          },
        },
      },
      {
        name: 'receipt',
        to: (c) => (isInReview(c) && !silencePays(c) ? [c.task.worker] : []),
        end: (c) => (isInReview(c) ? graceEnd(c) : 0),
        reminders: countdown(graceEnd, "Deliver with the store's receipt, open a dispute or leave"),
      },
    ],
  },
  DISPUTED: { silent: 'The clocks of the dispute run.' },
  COMPLETED: ended,
  CANCELLED: ended,
  EXPIRED: ended,
  RESOLVED: ended,
}

/** Parties that have not given evidence yet. */
const speak: Clock = {
  name: 'evidence',
  to: ({ dispute }) => [
    dispute && !dispute.posterSpoke ? dispute.poster : null,
    dispute && !dispute.workerSpoke ? dispute.worker : null,
  ],
  end: evidenceEnd,
  reminders: countdown(evidenceEnd, 'Give your evidence'),
}

/** The clocks of each phase of a dispute. */
export const phaseClocks: Readonly<Record<DisputePhase, ClockRule>> = {
  NONE: { silent: 'There is no dispute.' },
  OPEN: { clocks: [speak] },
  EVIDENCE: {
    clocks: [
      speak,
      {
        name: 'ruling',
        to: ({ dispute }) => [dispute?.judge ?? null],
        end: rulingEnd,
        reminders: countdown(rulingEnd, 'Rule on the dispute, or give the case back'),
      },
    ],
  },
  RULED: {
    clocks: [
      {
        name: 'appeal',
        to: ({ dispute }) => [dispute && (dispute.forWorker ? dispute.poster : dispute.worker)],
        end: appealEnd,
        reminders: countdown(appealEnd, 'Appeal, or the ruling stands'),
      },
      {
        name: 'payout',
        to: ({ dispute }) => [dispute && (dispute.forWorker ? dispute.worker : dispute.poster)],
        end: appealEnd,
        reminders: {
          over: {
            urgency: 'action',
            title: (c) => `The ruling about ${formatTaskName(c)} is final`,
            text: () => 'Nobody appealed in time. Anyone can carry it out now.',
          },
        },
      },
    ],
  },
  COURT: {
    clocks: [
      speak,
      {
        name: 'court',
        to: ({ finalCourt }) => [finalCourt],
        end: courtEnd,
        reminders: countdown(courtEnd, 'Decide the dispute'),
      },
    ],
  },
  CLOSED: { silent: 'The dispute is over.' },
}

/** The clock that reminds of each deadline of the action table, or why none does. */
export const deadlineClocks: Readonly<Record<DeadlineKind, { clock: string } | { silent: string }>> = {
  claim: { clock: 'claim' },
  funding: { clock: 'funding' },
  milestone: { clock: 'work' },
  review: { clock: 'review' },
  consent: { silent: 'After it the final court decides; nobody loses anything.' },
  ruling: { clock: 'ruling' },
  appeal: { clock: 'appeal' },
  court: { clock: 'court' },
  unbond: { silent: 'It concerns only the wallet that started it.' },
  plan: { silent: 'It concerns only the wallet that bought it.' },
}
