import type { Clock } from './action.ts'
import { marketParams } from './params.ts'
import type { Standing } from './standing.ts'

/** The clocks that actions start: what they mean, and when the one of a task runs out, in unix seconds; zero while it stands still. */
export const clocks: Readonly<Record<Clock, { words: string; end?: (standing: Standing) => number }>> = {
  claim: {
    words: 'Workers may claim until the cut-off before the claim deadline.',
    end: ({ task, taskId }) => task.claimDeadline - marketParams[taskId.market].claimCutoff,
  },
  funding: {
    words: 'The poster must fund the task in full within the funding window.',
    end: ({ task, taskId }) => task.claimedAt && task.claimedAt + marketParams[taskId.market].fundingWindow,
  },
  milestone: { words: 'The worker must deliver the milestone by its deadline.', end: ({ task }) => task.deadline },
  review: {
    words: 'The poster must answer within the review window; silence pays the worker.',
    end: ({ task }) => task.reviewEnd,
  },
  consent: {
    words: 'The parties may agree on an arbitrator; after that one is drawn.',
    end: ({ dispute }) => dispute?.consentEnd ?? 0,
  },
  seat: {
    words: 'A panel must be seated in time; otherwise the record decides.',
    end: ({ dispute }) => dispute?.seatEnd ?? 0,
  },
  evidence: {
    words: 'Both parties may give evidence; then the arbitrators rule.',
    end: ({ dispute }) => dispute?.evidenceEnd ?? 0,
  },
  appeal: {
    words: 'A party that did not get everything may appeal; after that anyone may carry the ruling out.',
    end: ({ dispute }) => dispute?.appealEnd ?? 0,
  },
  unbond: { words: 'The bond stays for seven days.' },
  plan: { words: 'The plan lasts 30 days more.' },
}
