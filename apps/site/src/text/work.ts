import type { TaskPhase } from '@svc/protocol'

/** Text of the page with the user's own tasks, and of rows of tasks. */
export const workText = {
  title: 'My work',
  description: 'What you post, what you work on, and what you judge.',
  connect: 'Sign in to see what you posted, what you work on and what you judge.',
  tabs: { posting: 'Posting', working: 'Working', judging: 'Judging', offers: 'Private offers' },
  emptyPosting: 'You have not posted a task in this market yet.',
  emptyWorking: 'You have not taken a task in this market yet.',
  emptyJudging: 'No case waits for you. You judge a dispute if both of its sides name you.',
  emptyOlder: 'There are no older tasks.',
  post: 'Post a task',
  explore: 'Find a task',
  becomeJudge: 'About judging',
  older: 'Older tasks',
  newest: 'Newest tasks',
  nobody: 'Nobody yet',
  milestones: (at: number, of: number) => `Milestone ${at} of ${of}`,
  paid: 'paid',
  over: 'Time is up',
  clock: {
    OPEN_FOR_CLAIM: 'to claim',
    AWAITING_FUNDS: 'to lock and start',
    READY_TO_START: 'to start',
    WORKING: 'to deliver',
    UNDER_NOTICE: 'to deliver what is there',
    IN_REVIEW: 'to review',
  } satisfies Partial<Record<TaskPhase, string>>,
} as const
