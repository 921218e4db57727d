import { claimEnd, type GuardName, type Situation } from './guards.ts'
import type { TaskScope, TaskState } from './states.ts'

/** Who may call an operation; the error is what anyone else gets. `claimant`: anyone but the poster. */
export const roles = {
  poster: 'NotPoster',
  worker: 'NotWorker',
  party: 'NotParty',
  claimant: 'PosterCannotClaim',
  arbitration: 'Unauthorized',
  anyone: null,
} as const

export type Role = keyof typeof roles

/** What a transition moves. Amounts are the constants of `amounts.ts`, or what the call and the task say. */
export type Move =
  | { move: 'fee'; of: 'poster' | 'worker' }
  /** Raised to USD 8; where no guard asks for it, as far as the free deposit goes. */
  | { move: 'reserve'; of: 'poster' | 'worker' }
  | { move: 'penalty'; of: 'poster' | 'worker'; to: 'poster' | 'worker' | 'treasury' }
  /** A penalty from poster to worker, but only when the escrow is not full. */
  | { move: 'penalty for missing funds' }
  /** The call's amount of the poster's TOK into the escrow. */
  | { move: 'fund' }
  /** From the escrow to the worker: the current milestone, all that is held, or the call's share of either. */
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

/** What reaching a state brings with it, whatever the row. */
export type Arrival =
  /** The worker's slot and reserve are free. */
  | 'let worker go'
  /** The task has no worker any more. */
  | 'forget worker'
  /** The poster's reserve is free. */
  | 'free poster'
  /** Whatever the escrow still holds goes to the poster. */
  | 'refund held'

/** One row: this operation, from this state, by this role, under these guards, in the order the contract checks them. */
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

/** Facts of the situation, not faults of the caller: they choose what an operation means. */
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

/** After a claim falls away an open task is open again; a private one has no other worker and ends. */
const reopenedOr = (terminal: TaskState): Record<TaskScope, TaskState> => ({ OPEN: 'POSTED', PRIVATE: terminal })

const end = ['let worker go', 'free poster', 'refund held'] as const satisfies readonly Arrival[]

/** In this order, after the row's own effects and money. */
export const arrivals: Readonly<Partial<Record<TaskState, readonly Arrival[]>>> = {
  POSTED: ['let worker go', 'forget worker'],
  COMPLETED: end,
  CANCELLED: end,
  EXPIRED: end,
  RESOLVED: end,
}

/**
 * The lifecycle. A call that matches no row by operation and state is refused with WrongState, or with TaskNotFound when
 * there is no such task.
 * After a row's effects and money comes what its next state brings with it: see `arrivals`.
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
  // Only the poster's own acts put more of its deposit at risk here: claims left to lapse must not eat it up.
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
