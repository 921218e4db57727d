import { marketParams } from '../money/params.ts'
import type { TaskContext } from '../tasks/taskContext.ts'
import type { DeadlineKind } from './action.ts'

/** The deadlines that actions start: a description, and when the deadline of a task ends, in unix seconds; zero if it is not running. */
export const deadlines: Readonly<Record<DeadlineKind, { text: string; end?: (context: TaskContext) => number }>> = {
  claim: {
    text: 'Workers can claim until the cutoff before the claim deadline.',
    end: ({ task, taskId }) => task.claimDeadline - marketParams[taskId.market].claimCutoff,
  },
  funding: {
    text: 'The task must be fully funded and started within the funding window.',
    end: ({ task, taskId }) => task.claimedAt && task.claimedAt + marketParams[taskId.market].fundingWindow,
  },
  milestone: { text: 'The worker must deliver the milestone by its deadline.', end: ({ task }) => task.deadline },
  review: {
    text: 'The poster must respond within the review window; otherwise the worker is paid, unless the store of the terms gave no receipt.',
    end: ({ task }) => task.reviewEnd,
  },
  consent: {
    text: 'The parties can agree on an arbitrator that accepts; after that the final court decides.',
    end: ({ dispute }) => dispute?.consentEnd ?? 0,
  },
  ruling: {
    text: 'A judge that accepted must rule in time or give the case back; otherwise it loses a part of its bond and the final court decides.',
    end: ({ dispute }) => dispute?.rulingEnd ?? 0,
  },
  appeal: {
    text: 'The loser can appeal; after that anyone can carry out the ruling.',
    end: ({ dispute }) => dispute?.appealEnd ?? 0,
  },
  court: {
    text: 'The final court must decide in time; otherwise the ruling stands or, without one, the side that did not open the dispute wins.',
    end: ({ dispute }) => dispute?.courtEnd ?? 0,
  },
  unbond: { text: 'The bond stays locked for seven days.' },
  plan: { text: 'The plan is extended by 30 days.' },
}
