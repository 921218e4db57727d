import { type GuardName, type Situation, silencePays } from './guards.ts'
import type { TaskScope, TaskState } from './states.ts'

/** Who can call an operation, with the error for everyone else. `claimant`: anyone but the poster. */
export const roles = {
  poster: 'NotPoster',
  worker: 'NotWorker',
  party: 'NotParty',
  claimant: 'PosterCannotClaim',
  arbitration: 'Unauthorized',
  anyone: null,
} as const

export type Role = keyof typeof roles

/** The money that a transition moves. Amounts are the constants of `amounts.ts`, or come from the call and the task. */
export type Move =
  | { move: 'fee'; of: 'poster' | 'worker' }
  /** Raises the reserve to USD 13. */
  | { move: 'reserve'; of: 'poster' | 'worker' }
  /** Locks 1,000 TOK, until the party is let go. */
  | { move: 'lock exit deposit'; of: 'poster' | 'worker' }
  /** Shares the exit deposit out like an access fee. */
  | { move: 'spend exit deposit'; of: 'poster' | 'worker' }
  /** What a missed duty costs: USD 2.50 of the reserve to the treasury, and the exit deposit to the Union. */
  | { move: 'forfeit'; of: 'poster' | 'worker' }
  /** Moves the amount of the call from the poster to the escrow. */
  | { move: 'fund' }
  /** Pays the worker from the escrow: the current milestone, everything held, or a share of either. */
  | { move: 'pay'; what: 'milestone' | 'held' | 'share of milestone' | 'share of held' }
  /** Gives the loser's exit deposit to the Union, and pays the final court out of the milestone. */
  | { move: 'court costs' }

/** What a transition changes besides state and money. */
export type Effect =
  | 'store terms'
  | 'allow worker'
  | 'engage worker'
  | 'start milestone'
  | 'give notice'
  | 'start review'
  | 'record receipt'
  | 'reopen milestone'
  | 'accept milestone'
  | 'accept all'
  | 'open case'
  /** Raises the poster's reserve to USD 25: what this case takes of it must not be missing in the next one. */
  | 'raise reserve'
  | 'concede case'
  | 'abandon case'
  | 'record share'
  | 'record ruling'

/** What happens on entering a state, for every row that leads to it. */
export type EntryEffect =
  /** Gives the worker its reserve and what is left of its exit deposit back. */
  | 'release worker'
  /** Clears the worker of the task. */
  | 'clear worker'
  /** Locks an exit deposit of the poster if there is none. */
  | 'restore poster'
  /** Gives the poster its reserve and what is left of its exit deposit back. */
  | 'release poster'
  /** Refunds what the escrow still holds to the poster. */
  | 'refund held'

/** One row of the table: operation, state, role, and guards in the order in which the contract checks them. */
export interface Transition {
  operation: string
  from: TaskState
  /** Chooses between rows with the same operation and state. */
  when?: keyof typeof conditions
  by: Role
  guards: readonly GuardName[]
  /** The next state; open and private tasks may differ. */
  to: TaskState | Record<TaskScope, TaskState>
  effects: readonly Effect[]
  money: readonly Move[]
}

/** Under notice the milestone in work is the last one. */
function isLastMilestone({ task }: Situation): boolean {
  return task.underNotice || task.current + 1 >= task.milestoneCount
}

/** Conditions that select between rows of the same operation and state. They never reject a call by themselves. */
export const conditions = {
  'funded when claimed': (s: Situation) => s.task.fundedAtClaim,
  'not funded when claimed': (s: Situation) => !s.task.fundedAtClaim,
  'more milestones follow': (s: Situation) => !isLastMilestone(s),
  'last milestone': isLastMilestone,
  'nothing is in review': (s: Situation) => s.task.reviewEnd === 0,
  'nothing is in review, no notice': (s: Situation) => s.task.reviewEnd === 0 && !s.task.underNotice,
  'nothing is in review, under notice': (s: Situation) => s.task.reviewEnd === 0 && s.task.underNotice,
  'something is in review': (s: Situation) => s.task.reviewEnd !== 0,
  'silence pays': silencePays,
  'silence does not pay': (s: Situation) => !silencePays(s),
} as const

const fee = (of: 'poster' | 'worker'): Move => ({ move: 'fee', of })
const reserve = (of: 'poster' | 'worker'): Move => ({ move: 'reserve', of })
const lock = (of: 'poster' | 'worker'): Move => ({ move: 'lock exit deposit', of })
const spend = (of: 'poster' | 'worker'): Move => ({ move: 'spend exit deposit', of })
const forfeit = (of: 'poster' | 'worker'): Move => ({ move: 'forfeit', of })
const pay = (what: Extract<Move, { move: 'pay' }>['what']): Move => ({ move: 'pay', what })

const workerEntry = ['workerNotCourt', 'workerEntryDeposit'] as const satisfies readonly GuardName[]
const posterEntry = ['posterNotCourt', 'posterEntryDeposit'] as const satisfies readonly GuardName[]
const receiptChecks = [
  'storeNamed',
  'receiptCovers',
  'receiptLasts',
  'receiptSigned',
] as const satisfies readonly GuardName[]

/** When a claim ends, an open task goes back to POSTED. A private task has no other worker and ends. */
const reopenedOr = (terminal: TaskState): Record<TaskScope, TaskState> => ({ OPEN: 'POSTED', PRIVATE: terminal })

const onEnd = ['release worker', 'release poster', 'refund held'] as const satisfies readonly EntryEffect[]

/** Effects on entering a state, in this order, after the effects and money of the row. */
export const onEnter: Readonly<Partial<Record<TaskState, readonly EntryEffect[]>>> = {
  POSTED: ['release worker', 'clear worker', 'restore poster'],
  COMPLETED: onEnd,
  CANCELLED: onEnd,
  EXPIRED: onEnd,
  RESOLVED: onEnd,
}

/**
 * The task lifecycle. A call that matches no row by operation and state reverts with WrongState, or with TaskNotFound if
 * the task does not exist. After the effects and money of a row come the effects of its next state: see `onEnter`.
 */
export const lifecycle: readonly Transition[] = [
  {
    operation: 'post',
    from: 'NONE',
    by: 'anyone',
    guards: ['entriesOpen', ...posterEntry, 'firstFunding', 'posterEntryTok'],
    to: 'POSTED',
    effects: ['store terms'],
    money: [{ move: 'fund' }, reserve('poster'), lock('poster'), fee('poster')],
  },
  {
    operation: 'create',
    from: 'NONE',
    by: 'anyone',
    guards: ['entriesOpen', 'twoParties', ...posterEntry, 'signed', ...workerEntry, 'workerEntryTok', 'posterEntryTok'],
    to: 'CLAIMED',
    effects: ['store terms', 'engage worker'],
    money: [reserve('worker'), lock('worker'), reserve('poster'), lock('poster'), fee('worker'), fee('poster')],
  },
  {
    operation: 'fund',
    from: 'POSTED',
    by: 'poster',
    guards: ['entriesOpen', 'posterAboveThreshold', 'amountMissing', 'amountInWallet'],
    to: 'POSTED',
    effects: [],
    money: [{ move: 'fund' }],
  },
  {
    operation: 'fund',
    from: 'CLAIMED',
    by: 'poster',
    guards: ['inFundingWindow', 'amountMissing', 'amountInWallet'],
    to: 'CLAIMED',
    effects: [],
    money: [{ move: 'fund' }],
  },
  {
    operation: 'allowWorker',
    from: 'POSTED',
    by: 'poster',
    guards: ['permitNeeded'],
    to: 'POSTED',
    effects: ['allow worker'],
    money: [],
  },
  {
    operation: 'claim',
    from: 'POSTED',
    by: 'claimant',
    guards: ['entriesOpen', 'digest', 'beforeCutoff', 'permit', ...workerEntry, 'workerEntryTok'],
    to: 'CLAIMED',
    effects: ['engage worker'],
    money: [reserve('worker'), lock('worker'), fee('worker')],
  },
  {
    operation: 'activate',
    from: 'CLAIMED',
    by: 'party',
    guards: ['vetted', 'fullyFunded', 'inClaim'],
    to: 'ACTIVE',
    effects: ['start milestone'],
    money: [],
  },
  {
    operation: 'dismiss',
    from: 'CLAIMED',
    by: 'poster',
    guards: ['inClaim', 'posterRelock'],
    to: reopenedOr('CANCELLED'),
    effects: [],
    money: [spend('poster')],
  },
  {
    operation: 'dismiss',
    from: 'ACTIVE',
    by: 'poster',
    guards: ['noNotice', 'nothingInReview', 'beforeDeadline'],
    to: 'ACTIVE',
    effects: ['give notice'],
    money: [spend('poster')],
  },
  {
    operation: 'leaveTask',
    from: 'CLAIMED',
    by: 'worker',
    guards: ['inClaim'],
    to: reopenedOr('CANCELLED'),
    effects: [],
    money: [spend('worker')],
  },
  {
    operation: 'leaveTask',
    from: 'ACTIVE',
    when: 'nothing is in review',
    by: 'worker',
    guards: ['noNotice', 'beforeDeadline'],
    to: 'CANCELLED',
    effects: [],
    money: [spend('worker')],
  },
  {
    operation: 'leaveTask',
    from: 'ACTIVE',
    when: 'something is in review',
    by: 'worker',
    guards: ['nothingPayable', 'inGrace'],
    to: 'CANCELLED',
    effects: [],
    money: [spend('worker')],
  },
  {
    operation: 'markDelivered',
    from: 'ACTIVE',
    when: 'nothing is in review',
    by: 'worker',
    guards: ['currentMilestone', 'beforeDeadline', 'hashGiven', ...receiptChecks],
    to: 'ACTIVE',
    effects: ['start review', 'record receipt'],
    money: [],
  },
  // A second delivery only cures what the first one lacked.
  {
    operation: 'markDelivered',
    from: 'ACTIVE',
    when: 'something is in review',
    by: 'worker',
    guards: ['currentMilestone', 'curesDelivery', 'inGrace', 'hashGiven', ...receiptChecks],
    to: 'ACTIVE',
    effects: ['start review', 'record receipt'],
    money: [],
  },
  {
    operation: 'requestRevision',
    from: 'ACTIVE',
    by: 'poster',
    guards: ['currentMilestone', 'inReview', 'beforeReviewEnd', 'noNotice', 'revisionsLeft', 'hashGiven'],
    to: 'ACTIVE',
    effects: ['reopen milestone'],
    money: [],
  },
  {
    operation: 'release',
    from: 'ACTIVE',
    when: 'more milestones follow',
    by: 'poster',
    guards: ['currentMilestone'],
    to: 'ACTIVE',
    effects: ['accept milestone'],
    money: [pay('milestone')],
  },
  {
    operation: 'release',
    from: 'ACTIVE',
    when: 'last milestone',
    by: 'poster',
    guards: ['currentMilestone'],
    to: 'COMPLETED',
    effects: ['accept milestone'],
    money: [pay('milestone')],
  },
  {
    operation: 'release',
    from: 'DISPUTED',
    when: 'more milestones follow',
    by: 'poster',
    guards: ['currentMilestone', 'concessionReserve'],
    to: 'ACTIVE',
    effects: ['raise reserve', 'concede case', 'accept milestone'],
    money: [pay('milestone')],
  },
  {
    operation: 'release',
    from: 'DISPUTED',
    when: 'last milestone',
    by: 'poster',
    guards: ['currentMilestone'],
    to: 'COMPLETED',
    effects: ['concede case', 'accept milestone'],
    money: [pay('milestone')],
  },
  {
    operation: 'complete',
    from: 'ACTIVE',
    by: 'poster',
    guards: [],
    to: 'COMPLETED',
    effects: ['accept all'],
    money: [pay('held')],
  },
  {
    operation: 'releaseLapsed',
    from: 'ACTIVE',
    when: 'more milestones follow',
    by: 'anyone',
    guards: ['currentMilestone', 'inReview', 'silencePays', 'pastReviewEnd'],
    to: 'ACTIVE',
    effects: ['accept milestone'],
    money: [pay('milestone')],
  },
  {
    operation: 'releaseLapsed',
    from: 'ACTIVE',
    when: 'last milestone',
    by: 'anyone',
    guards: ['currentMilestone', 'inReview', 'silencePays', 'pastReviewEnd'],
    to: 'COMPLETED',
    effects: ['accept milestone'],
    money: [pay('milestone')],
  },
  {
    operation: 'cancel',
    from: 'POSTED',
    by: 'poster',
    guards: [],
    to: 'CANCELLED',
    effects: [],
    money: [],
  },
  {
    operation: 'expire',
    from: 'POSTED',
    by: 'anyone',
    guards: ['pastCutoff'],
    to: 'EXPIRED',
    effects: [],
    money: [],
  },
  {
    operation: 'expire',
    from: 'CLAIMED',
    when: 'funded when claimed',
    by: 'anyone',
    guards: ['pastClaimEnd'],
    to: reopenedOr('EXPIRED'),
    effects: [],
    money: [],
  },
  // Funding and starting what was claimed unfunded is the poster's duty. An offer that misses it ends: it would only
  // catch the next worker.
  {
    operation: 'expire',
    from: 'CLAIMED',
    when: 'not funded when claimed',
    by: 'anyone',
    guards: ['pastClaimEnd'],
    to: 'EXPIRED',
    effects: [],
    money: [forfeit('poster')],
  },
  {
    operation: 'expire',
    from: 'ACTIVE',
    when: 'nothing is in review, no notice',
    by: 'anyone',
    guards: ['pastDeadline'],
    to: 'EXPIRED',
    effects: [],
    money: [forfeit('worker')],
  },
  // Whoever was told to stop and delivers nothing owes nothing.
  {
    operation: 'expire',
    from: 'ACTIVE',
    when: 'nothing is in review, under notice',
    by: 'anyone',
    guards: ['pastNotice'],
    to: 'EXPIRED',
    effects: [],
    money: [],
  },
  {
    operation: 'expire',
    from: 'ACTIVE',
    when: 'something is in review',
    by: 'anyone',
    guards: ['nothingPayable', 'pastGrace'],
    to: 'EXPIRED',
    effects: [],
    money: [forfeit('worker')],
  },
  {
    operation: 'mutualCancel',
    from: 'CLAIMED',
    by: 'anyone',
    guards: ['share', 'signed'],
    to: 'CANCELLED',
    effects: ['record share'],
    money: [pay('share of held')],
  },
  {
    operation: 'mutualCancel',
    from: 'ACTIVE',
    by: 'anyone',
    guards: ['share', 'signed'],
    to: 'CANCELLED',
    effects: ['record share'],
    money: [pay('share of held')],
  },
  {
    operation: 'mutualCancel',
    from: 'DISPUTED',
    by: 'anyone',
    guards: ['share', 'signed'],
    to: 'RESOLVED',
    effects: ['abandon case', 'record share'],
    money: [pay('share of held')],
  },
  {
    operation: 'openDispute',
    from: 'ACTIVE',
    when: 'silence pays',
    by: 'poster',
    guards: [
      'currentMilestone',
      'inReview',
      'beforeReviewEnd',
      'hashGiven',
      'openingShare',
      'posterReserve',
      'openerStake',
    ],
    to: 'DISPUTED',
    effects: ['open case'],
    money: [],
  },
  {
    operation: 'openDispute',
    from: 'ACTIVE',
    when: 'silence does not pay',
    by: 'worker',
    guards: ['currentMilestone', 'inReview', 'pastReviewEnd', 'inGrace', 'hashGiven', 'openingShare'],
    to: 'DISPUTED',
    effects: ['open case'],
    money: [],
  },
  {
    operation: 'settleDispute',
    from: 'DISPUTED',
    by: 'arbitration',
    guards: [],
    to: 'RESOLVED',
    effects: ['record ruling'],
    money: [{ move: 'court costs' }, pay('share of milestone')],
  },
]
