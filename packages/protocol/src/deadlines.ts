import type { DeadlineKind } from './action.ts'
import { marketParams } from './params.ts'
import type { TaskContext } from './taskContext.ts'

/** The deadlines that actions start: a description, and when the deadline of a task ends, in unix seconds; zero if it is not running. */
export const deadlines: Readonly<Record<DeadlineKind, { text: string; end?: (context: TaskContext) => number }>> = {
  claim: {
    text: 'Workers can claim until the cutoff before the claim deadline.',
    end: ({ task, taskId }) => task.claimDeadline - marketParams[taskId.market].claimCutoff,
  },
  funding: {
    text: 'The poster must fund the task in full within the funding window.',
    end: ({ task, taskId }) => task.claimedAt && task.claimedAt + marketParams[taskId.market].fundingWindow,
  },
  milestone: { text: 'The worker must deliver the milestone by its deadline.', end: ({ task }) => task.deadline },
  review: {
    text: 'The poster must respond within the review window; otherwise the worker is paid.',
    end: ({ task }) => task.reviewEnd,
  },
  consent: {
    text: 'The parties can agree on an arbitrator; after that one is drawn at random.',
    end: ({ dispute }) => dispute?.consentEnd ?? 0,
  },
  seat: {
    text: 'A panel must be seated in time; otherwise the evidence on record decides.',
    end: ({ dispute }) => dispute?.seatEnd ?? 0,
  },
  evidence: {
    text: 'Both parties can submit evidence; then the arbitrators rule.',
    end: ({ dispute }) => dispute?.evidenceEnd ?? 0,
  },
  appeal: {
    text: 'A party that did not get everything can appeal; after that anyone can finalize the ruling.',
    end: ({ dispute }) => dispute?.appealEnd ?? 0,
  },
  unbond: { text: 'The bond stays locked for seven days.' },
  plan: { text: 'The plan is extended by 30 days.' },
}
