import { claimEnd, type GuardName, type Situation } from './guards.ts'
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
  | { move: 'penalty'; of: 'poster' | 'worker'; to: 'poster' | 'worker' | 'treasury' }
  /** A penalty from poster to worker, only if the task is not fully funded. */
  | { move: 'penalty for missing funds' }
  /** Moves the amount of the call from the poster to the escrow. */
  | { move: 'fund' }
  /** Pays the worker from the escrow: the current milestone, everything held, or a share of either. */
  | { move: 'pay'; what: 'milestone' | 'held' | 'share of milestone' | 'share of held' }

/** What a transition changes besides state and money. */
export type Effect =
  | 'store terms'
  | 'engage worker'
  | 'start milestone'
  | 'start review'
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
  /** Frees the worker's claim slot and reserve. */
  | 'let worker go'
  /** Clears the worker of the task. */
  | 'forget worker'
  /** Frees the poster's reserve. */
  | 'free poster'
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
  'the money is there': (s: Situation) => s.task.funded >= s.task.total,
  'money is missing': (s: Situation) => s.task.funded < s.task.total,
  'claim stands': (s: Situation) => s.now <= claimEnd(s),
  'claim lapsed': (s: Situation) => s.now > claimEnd(s),
  'more milestones follow': (s: Situation) => s.task.current + 1 < s.task.milestoneCount,
  'last milestone': (s: Situation) => s.task.current + 1 >= s.task.milestoneCount,
} as const

const fee = (of: 'poster' | 'worker'): Move => ({ move: 'fee', of })
const reserve = (of: 'poster' | 'worker'): Move => ({ move: 'reserve', of })
const penalty = (of: 'poster' | 'worker', to: 'poster' | 'worker' | 'treasury'): Move => ({ move: 'penalty', of, to })
const pay = (what: Extract<Move, { move: 'pay' }>['what']): Move => ({ move: 'pay', what })

const workerEntry = ['workerEntryDeposit', 'freeSlot', 'workerReserve'] as const satisfies readonly GuardName[]
const claimable = ['entriesOpen', 'digest', 'beforeCutoff', 'permit'] as const satisfies readonly GuardName[]

/** When a claim ends, an open task goes back to POSTED. A private task has no other worker and ends. */
const reopenedOr = (terminal: TaskState): Record<TaskScope, TaskState> => ({ OPEN: 'POSTED', PRIVATE: terminal })

const onEnd = ['let worker go', 'free poster', 'refund held'] as const satisfies readonly EntryEffect[]

/** Effects on entering a state, in this order, after the effects and money of the row. */
export const onEnter: Readonly<Partial<Record<TaskState, readonly EntryEffect[]>>> = {
  POSTED: ['let worker go', 'forget worker'],
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
    guards: ['entriesOpen', 'posterEntryDeposit', 'posterReserve', 'posterFee', 'firstFunding', 'firstFundingInWallet'],
    to: 'POSTED',
    effects: ['store terms'],
    money: [reserve('poster'), fee('poster'), { move: 'fund' }],
  },
  {
    operation: 'create',
    from: 'NONE',
    by: 'anyone',
    guards: [
      'entriesOpen',
      'twoParties',
      'posterEntryDeposit',
      'signed',
      'posterReserve',
      ...workerEntry,
      'workerFee',
      'posterFee',
    ],
    to: 'CLAIMED',
    effects: ['store terms', 'engage worker'],
    money: [reserve('poster'), reserve('worker'), fee('worker'), fee('poster')],
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
    when: 'the money is there',
    by: 'claimant',
    guards: [...claimable, ...workerEntry, 'posterReserve', 'workerFee'],
    to: 'CLAIMED',
    effects: ['engage worker'],
    money: [reserve('worker'), reserve('poster'), fee('worker')],
  },
  // An unfunded claim does not raise the poster's reserve: claims that lapse must not drain the deposit.
  {
    operation: 'claim',
    from: 'POSTED',
    when: 'money is missing',
    by: 'claimant',
    guards: [...claimable, ...workerEntry, 'posterReserveLeft', 'workerFee'],
    to: 'CLAIMED',
    effects: ['engage worker'],
    money: [reserve('worker'), fee('worker')],
  },
  {
    operation: 'activate',
    from: 'CLAIMED',
    by: 'party',
    guards: ['vetted', 'fullyFunded', 'inStartWindow'],
    to: 'ACTIVE',
    effects: ['start milestone'],
    money: [],
  },
  {
    operation: 'dismiss',
    from: 'CLAIMED',
    by: 'poster',
    guards: ['posterFee'],
    to: reopenedOr('CANCELLED'),
    effects: [],
    money: [penalty('poster', 'worker'), penalty('poster', 'treasury'), reserve('poster'), fee('poster')],
  },
  {
    operation: 'leaveTask',
    from: 'CLAIMED',
    when: 'claim stands',
    by: 'worker',
    guards: ['workerFee'],
    to: reopenedOr('CANCELLED'),
    effects: [],
    money: [penalty('worker', 'poster'), penalty('worker', 'treasury'), fee('worker')],
  },
  {
    operation: 'leaveTask',
    from: 'CLAIMED',
    when: 'claim lapsed',
    by: 'worker',
    guards: [],
    to: reopenedOr('CANCELLED'),
    effects: [],
    money: [{ move: 'penalty for missing funds' }],
  },
  {
    operation: 'leaveTask',
    from: 'ACTIVE',
    by: 'worker',
    guards: ['notInReview', 'workerFee'],
    to: 'CANCELLED',
    effects: [],
    money: [penalty('worker', 'poster'), penalty('worker', 'treasury'), fee('worker')],
  },
  {
    operation: 'markDelivered',
    from: 'ACTIVE',
    by: 'worker',
    guards: ['currentMilestone', 'notInReview', 'beforeDeadline', 'hashGiven'],
    to: 'ACTIVE',
    effects: ['start review'],
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
    guards: ['currentMilestone', 'inReview', 'pastReviewEnd'],
    to: 'ACTIVE',
    effects: ['accept milestone'],
    money: [pay('milestone')],
  },
  {
    operation: 'releaseLapsed',
    from: 'ACTIVE',
    when: 'last milestone',
    by: 'anyone',
    guards: ['currentMilestone', 'inReview', 'pastReviewEnd'],
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
    by: 'anyone',
    guards: ['pastClaimEnd'],
    to: reopenedOr('EXPIRED'),
    effects: [],
    money: [{ move: 'penalty for missing funds' }],
  },
  {
    operation: 'expire',
    from: 'ACTIVE',
    by: 'anyone',
    guards: ['notInReview', 'pastDeadline'],
    to: 'EXPIRED',
    effects: [],
    money: [penalty('worker', 'poster')],
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
    by: 'party',
    guards: ['currentMilestone', 'inReview', 'beforeReviewEnd', 'hashGiven'],
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
    money: [pay('share of milestone')],
  },
]
