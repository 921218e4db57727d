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
  /** Raises the reserve to USD 8. Where no guard requires it, as far as the free deposit allows. */
  | { move: 'reserve'; of: 'poster' | 'worker' }
  /** Locks 1,000 TOK, until the party is let go. */
  | { move: 'lock exit deposit'; of: 'poster' | 'worker' }
  /** Shares the exit deposit out like an access fee. */
  | { move: 'spend exit deposit'; of: 'poster' | 'worker' }
  /** Moves a part of the reserve to the treasury. */
  | { move: 'penalty'; of: 'poster' | 'worker'; what: 'exit penalty' | 'whole reserve' }
  /** Moves the amount of the call from the poster to the escrow. */
  | { move: 'fund' }
  /** Pays the worker from the escrow: the current milestone, everything held, or a share of either. */
  | { move: 'pay'; what: 'milestone' | 'held' | 'share of milestone' | 'share of held' }
  /** Spends the exit deposits that a dispute forfeited, and pays whoever ruled out of the milestone. */
  | { move: 'court costs' }

/** What a transition changes besides state and money. */
export type Effect =
  | 'store terms'
  | 'engage worker'
  | 'start milestone'
  | 'start review'
  | 'note receipt'
  | 'reopen milestone'
  | 'accept milestone'
  | 'accept all'
  | 'open case'
  | 'concede case'
  | 'abandon case'
  | 'note share'
  | 'note ruling'

/** What happens on entering a state, for every row that leads to it. */
export type EntryEffect =
  /** Gives the worker its reserve and what is left of its exit deposit back. */
  | 'let worker go'
  /** Clears the worker of the task. */
  | 'forget worker'
  /** Refills the poster's reserve as far as its deposit allows, and locks an exit deposit if there is none. */
  | 'restore poster'
  /** Gives the poster its reserve and what is left of its exit deposit back. */
  | 'let poster go'
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

/** Conditions that select between rows of the same operation and state. They never reject a call by themselves. */
export const conditions = {
  'in the vet window': (s: Situation) => s.now <= s.task.claimedAt + s.params.vetWindow,
  'past the vet window': (s: Situation) => s.now > s.task.claimedAt + s.params.vetWindow,
  'funded when claimed': (s: Situation) => s.task.fundedAtClaim,
  'not funded when claimed': (s: Situation) => !s.task.fundedAtClaim,
  'more milestones follow': (s: Situation) => s.task.current + 1 < s.task.milestoneCount,
  'last milestone': (s: Situation) => s.task.current + 1 >= s.task.milestoneCount,
  'nothing is in review': (s: Situation) => s.task.reviewEnd === 0,
  'something is in review': (s: Situation) => s.task.reviewEnd !== 0,
  'silence pays': silencePays,
  'silence does not pay': (s: Situation) => !silencePays(s),
} as const

const fee = (of: 'poster' | 'worker'): Move => ({ move: 'fee', of })
const reserve = (of: 'poster' | 'worker'): Move => ({ move: 'reserve', of })
const lock = (of: 'poster' | 'worker'): Move => ({ move: 'lock exit deposit', of })
const spend = (of: 'poster' | 'worker'): Move => ({ move: 'spend exit deposit', of })
const penalty = (of: 'poster' | 'worker', what: 'exit penalty' | 'whole reserve'): Move => ({
  move: 'penalty',
  of,
  what,
})
/** What a missed duty costs. */
const forfeit = (of: 'poster' | 'worker'): readonly Move[] => [penalty(of, 'whole reserve'), spend(of)]
/** What leaving costs, and a late dismissal. */
const exit = (of: 'poster' | 'worker'): readonly Move[] => [penalty(of, 'exit penalty'), spend(of)]
const pay = (what: Extract<Move, { move: 'pay' }>['what']): Move => ({ move: 'pay', what })

const workerEntry = ['workerNotCourt', 'workerEntryDeposit'] as const satisfies readonly GuardName[]
const posterEntry = ['posterNotCourt', 'posterEntryDeposit'] as const satisfies readonly GuardName[]
const receiptChecks = ['storeNamed', 'receiptLasts', 'receiptSigned'] as const satisfies readonly GuardName[]

/** When a claim ends, an open task goes back to POSTED. A private task has no other worker and ends. */
const reopenedOr = (terminal: TaskState): Record<TaskScope, TaskState> => ({ OPEN: 'POSTED', PRIVATE: terminal })

const onEnd = ['let worker go', 'let poster go', 'refund held'] as const satisfies readonly EntryEffect[]

/** Effects on entering a state, in this order, after the effects and money of the row. */
export const onEnter: Readonly<Partial<Record<TaskState, readonly EntryEffect[]>>> = {
  POSTED: ['let worker go', 'forget worker', 'restore poster'],
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
    money: [reserve('poster'), reserve('worker'), lock('worker'), lock('poster'), fee('worker'), fee('poster')],
  },
  {
    operation: 'fund',
    from: 'POSTED',
    by: 'poster',
    guards: ['entriesOpen', 'posterAboveThreshold', 'posterReserve', 'amountMissing', 'amountInWallet'],
    to: 'POSTED',
    effects: [],
    money: [reserve('poster'), { move: 'fund' }],
  },
  {
    operation: 'fund',
    from: 'CLAIMED',
    by: 'poster',
    guards: ['inFundingWindow', 'posterReserve', 'amountMissing', 'amountInWallet'],
    to: 'CLAIMED',
    effects: [],
    money: [reserve('poster'), { move: 'fund' }],
  },
  {
    operation: 'claim',
    from: 'POSTED',
    by: 'claimant',
    guards: ['entriesOpen', 'digest', 'beforeCutoff', 'permit', ...workerEntry, 'posterReserve', 'workerEntryTok'],
    to: 'CLAIMED',
    effects: ['engage worker'],
    money: [reserve('poster'), reserve('worker'), lock('worker'), fee('worker')],
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
    when: 'in the vet window',
    by: 'poster',
    guards: ['inClaim', 'posterRelock'],
    to: reopenedOr('CANCELLED'),
    effects: [],
    money: [spend('poster')],
  },
  {
    operation: 'dismiss',
    from: 'CLAIMED',
    when: 'past the vet window',
    by: 'poster',
    guards: ['inClaim', 'posterRelock'],
    to: reopenedOr('CANCELLED'),
    effects: [],
    money: exit('poster'),
  },
  {
    operation: 'leaveTask',
    from: 'CLAIMED',
    by: 'worker',
    guards: ['inClaim'],
    to: reopenedOr('CANCELLED'),
    effects: [],
    money: exit('worker'),
  },
  {
    operation: 'leaveTask',
    from: 'ACTIVE',
    when: 'nothing is in review',
    by: 'worker',
    guards: ['beforeDeadline'],
    to: 'CANCELLED',
    effects: [],
    money: exit('worker'),
  },
  {
    operation: 'leaveTask',
    from: 'ACTIVE',
    when: 'something is in review',
    by: 'worker',
    guards: ['nothingPayable', 'inGrace'],
    to: 'CANCELLED',
    effects: [],
    money: exit('worker'),
  },
  {
    operation: 'markDelivered',
    from: 'ACTIVE',
    when: 'nothing is in review',
    by: 'worker',
    guards: ['currentMilestone', 'beforeDeadline', 'hashGiven', ...receiptChecks],
    to: 'ACTIVE',
    effects: ['start review', 'note receipt'],
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
    effects: ['start review', 'note receipt'],
    money: [],
  },
  {
    operation: 'attachReceipt',
    from: 'ACTIVE',
    by: 'anyone',
    guards: ['currentMilestone', 'inReview', 'receiptNeeded', 'inGrace', 'receiptLasts', 'receiptSigned'],
    to: 'ACTIVE',
    effects: ['start review', 'note receipt'],
    money: [],
  },
  {
    operation: 'requestRevision',
    from: 'ACTIVE',
    by: 'poster',
    guards: ['currentMilestone', 'inReview', 'beforeReviewEnd', 'revisionsLeft', 'hashGiven'],
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
    guards: ['currentMilestone'],
    to: 'ACTIVE',
    effects: ['concede case', 'accept milestone'],
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
    money: forfeit('poster'),
  },
  {
    operation: 'expire',
    from: 'ACTIVE',
    when: 'nothing is in review',
    by: 'anyone',
    guards: ['pastDeadline'],
    to: 'EXPIRED',
    effects: [],
    money: forfeit('worker'),
  },
  {
    operation: 'expire',
    from: 'ACTIVE',
    when: 'something is in review',
    by: 'anyone',
    guards: ['nothingPayable', 'pastGrace'],
    to: 'EXPIRED',
    effects: [],
    money: forfeit('worker'),
  },
  {
    operation: 'mutualCancel',
    from: 'CLAIMED',
    by: 'anyone',
    guards: ['share', 'signed'],
    to: 'CANCELLED',
    effects: ['note share'],
    money: [pay('share of held')],
  },
  {
    operation: 'mutualCancel',
    from: 'ACTIVE',
    by: 'anyone',
    guards: ['share', 'signed'],
    to: 'CANCELLED',
    effects: ['note share'],
    money: [pay('share of held')],
  },
  {
    operation: 'mutualCancel',
    from: 'DISPUTED',
    by: 'anyone',
    guards: ['share', 'signed'],
    to: 'RESOLVED',
    effects: ['abandon case', 'note share'],
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
    effects: ['note ruling'],
    money: [{ move: 'court costs' }, pay('share of milestone')],
  },
]
