import { accessFee, actionCredit, bps, entryDeposit, exitPenalty, pauseThreshold, taskReserve } from './amounts.ts'
import type { MarketParams } from './params.ts'
import type { ClaimPolicy, TaskScope, TaskState } from './states.ts'

/** The task as guards see it. Times are unix seconds; zero means not set. */
export interface TaskFacts {
  state: TaskState
  scope: TaskScope
  claimPolicy: ClaimPolicy
  poster: string
  worker: string | null
  milestoneCount: number
  current: number
  maxRevisions: number
  /** Revisions requested on the current milestone. */
  revisions: number
  claimedAt: number
  claimDeadline: number
  deadline: number
  reviewEnd: number
  total: bigint
  funded: bigint
  /** The part of the poster's deposit that the task reserves now. */
  posterReserve: bigint
}

/** A wallet as guards see it. */
export interface AccountFacts {
  deposit: bigint
  /** The part of the deposit that no task reserves. */
  free: bigint
  liveClaims: number
  /** TOK that the payment gateway can pull: the smaller of balance and allowance. */
  tok: bigint
  credits: bigint
}

/** The parameters of a call. Signatures and digests are verified before; guards see only the result. */
export interface CallFacts {
  milestone: number
  hashGiven: boolean
  amount: bigint
  workerBps: bigint
  /** The future worker: the caller of `claim`, or the worker named in `create`. */
  worker: string
  digestMatches: boolean
  permitted: boolean
  signed: boolean
}

/** One call on one task at one point in time. */
export interface Situation {
  now: number
  params: MarketParams
  entriesPaused: boolean
  task: TaskFacts
  caller: string
  call: CallFacts
  account: (wallet: string) => AccountFacts
}

/** What a failing guard lacks. TOK in wei, USDC in its units. */
export interface Lack {
  amount?: { token: 'tok' | 'usdc'; have: bigint; need: bigint }
  /** The action that supplies it, and the wallet that can take it. Absent if no action of the market does. */
  cure?: { action: 'top-up' | 'fund-task' | 'submit-proof' | 'accept-milestone'; by: string }
}

export interface Guard {
  /** The custom error that the contract reverts with if the guard fails. */
  error: string
  /** The rule as text. */
  rule: string
  holds: (s: Situation) => boolean
  /** For a guard with a deadline: the last second at which it holds. */
  until?: (s: Situation) => number
  /** For a guard with a waiting time: the last second at which it does not hold yet. */
  after?: (s: Situation) => number
  /** For a guard that somebody can satisfy: what is missing while it fails. */
  lacks?: (s: Situation) => Lack
  /** For a guard on the poster's free deposit: the least with which it holds. */
  posterFree?: (s: Situation) => bigint
}

/** The last second to fund a claimed task. */
export const fundingEnd = ({ task, params }: Situation): number => task.claimedAt + params.fundingWindow
/** The last second of a claim. A fully funded task gets a vet window more, so that late funding leaves time to start. */
export const claimEnd = (s: Situation): number => fundingEnd(s) + (missing(s) === 0n ? s.params.vetWindow : 0)
/** The last second to claim a posted task. */
export const claimCutoff = ({ task, params }: Situation): number => task.claimDeadline - params.claimCutoff

const slots = (s: Situation, wallet: string): number => {
  const { deposit } = s.account(wallet)
  return deposit < entryDeposit ? 0 : s.params.baseClaims + Number((deposit - entryDeposit) / taskReserve)
}
/** The deposit that gives a wallet one claim slot more than it uses. */
const depositForSlot = (s: Situation, wallet: string): bigint => {
  const more = BigInt(s.account(wallet).liveClaims + 1 - s.params.baseClaims)
  return entryDeposit + (more > 0n ? more * taskReserve : 0n)
}
const lacksUsdc = (by: string, have: bigint, need: bigint): Lack => ({
  amount: { token: 'usdc', have, need },
  cure: { action: 'top-up', by },
})
const lacksTok = (have: bigint, need: bigint): Lack => ({ amount: { token: 'tok', have, need } })
const canPayFee = (s: Situation, wallet: string): boolean => {
  const { tok, credits } = s.account(wallet)
  return credits >= actionCredit || tok >= accessFee
}
const atMost = (error: string, rule: string, until: (s: Situation) => number): Guard => ({
  error,
  rule,
  until,
  holds: (s) => s.now <= until(s),
})
const past = (error: string, rule: string, after: (s: Situation) => number): Guard => ({
  error,
  rule,
  after,
  holds: (s) => s.now > after(s),
})
const posterCovers = (error: string, rule: string, posterFree: (s: Situation) => bigint): Guard => ({
  error,
  rule,
  posterFree,
  holds: (s) => s.account(s.task.poster).free >= posterFree(s),
  lacks: (s) => lacksUsdc(s.task.poster, s.account(s.task.poster).free, posterFree(s)),
})
const missing = ({ task }: Situation): bigint => task.total - task.funded
const insufficientTok = 'ERC20InsufficientBalance'

/** Every rule of the lifecycle table. "At most" guards limit the party that must act; "past" guards open the default outcome. */
export const guards = {
  entriesOpen: { error: 'EnforcedPause', rule: 'entries are not paused', holds: (s) => !s.entriesPaused },
  posterEntryDeposit: {
    error: 'DepositTooLow',
    rule: 'the poster has deposited USD 25',
    holds: (s) => s.account(s.task.poster).deposit >= entryDeposit,
    lacks: (s) => lacksUsdc(s.task.poster, s.account(s.task.poster).deposit, entryDeposit),
  },
  workerEntryDeposit: {
    error: 'DepositTooLow',
    rule: 'the worker has deposited USD 25',
    holds: (s) => s.account(s.call.worker).deposit >= entryDeposit,
    lacks: (s) => lacksUsdc(s.call.worker, s.account(s.call.worker).deposit, entryDeposit),
  },
  posterAboveThreshold: {
    error: 'DepositTooLow',
    rule: 'the poster has USD 8 deposited',
    holds: (s) => s.account(s.task.poster).deposit >= pauseThreshold,
    lacks: (s) => lacksUsdc(s.task.poster, s.account(s.task.poster).deposit, pauseThreshold),
  },
  posterReserve: posterCovers(
    'InsufficientDeposit',
    "the poster's free deposit covers what its USD 8 reserve lacks",
    (s) => taskReserve - s.task.posterReserve,
  ),
  posterReserveLeft: {
    error: 'InsufficientDeposit',
    rule: "at least USD 5 of the poster's reserve are left",
    holds: (s) => s.task.posterReserve >= 2n * exitPenalty,
    // Funding raises the reserve back to USD 8.
    lacks: (s) => ({
      amount: { token: 'usdc', have: s.task.posterReserve, need: 2n * exitPenalty },
      cure: { action: 'fund-task', by: s.task.poster },
    }),
  },
  workerReserve: {
    error: 'InsufficientDeposit',
    rule: "the worker's free deposit covers the USD 8 reserve",
    holds: (s) => s.account(s.call.worker).free >= taskReserve,
    lacks: (s) => lacksUsdc(s.call.worker, s.account(s.call.worker).free, taskReserve),
  },
  freeSlot: {
    error: 'NoFreeSlot',
    rule: "the worker's deposit allows one more live claim",
    holds: (s) => s.account(s.call.worker).liveClaims < slots(s, s.call.worker),
    lacks: (s) => lacksUsdc(s.call.worker, s.account(s.call.worker).deposit, depositForSlot(s, s.call.worker)),
  },
  posterFee: {
    error: insufficientTok,
    rule: 'the poster can pay 1,000 TOK or a credit',
    holds: (s) => canPayFee(s, s.task.poster),
    lacks: (s) => lacksTok(s.account(s.task.poster).tok, accessFee),
  },
  workerFee: {
    error: insufficientTok,
    rule: 'the worker can pay 1,000 TOK or a credit',
    holds: (s) => canPayFee(s, s.call.worker),
    lacks: (s) => lacksTok(s.account(s.call.worker).tok, accessFee),
  },
  twoParties: {
    error: 'WorkerIsPoster',
    rule: 'worker and poster differ',
    holds: (s) => s.call.worker !== s.task.poster,
  },
  signed: {
    error: 'InvalidSignature',
    rule: 'both parties signed, unexpired, with unused nonces',
    holds: (s) => s.call.signed,
  },
  digest: {
    error: 'DigestMismatch',
    rule: 'the digest is that of these terms with this worker',
    holds: (s) => s.call.digestMatches,
  },
  beforeCutoff: atMost('ClaimClosed', 'at most the claim cut-off', claimCutoff),
  pastCutoff: past('NotExpired', 'past the claim cut-off', claimCutoff),
  permit: {
    error: 'ClaimPermitRequired',
    rule: 'the terms let anyone claim, or the poster signed a permit',
    holds: (s) => s.task.claimPolicy === 'ANYONE' || s.call.permitted,
  },
  amountMissing: {
    error: 'AmountNotMissing',
    rule: 'the amount is part of what is missing',
    holds: (s) => s.call.amount > 0n && s.call.amount <= missing(s),
  },
  firstFunding: {
    error: 'AmountNotMissing',
    rule: 'what is funded at once is at most the total',
    holds: (s) => s.call.amount >= 0n && s.call.amount <= missing(s),
  },
  firstFundingInWallet: {
    error: insufficientTok,
    rule: 'the poster has what is funded at once, besides the fee',
    holds: (s) => {
      const { tok, credits } = s.account(s.task.poster)
      return tok >= s.call.amount + (credits >= actionCredit ? 0n : accessFee)
    },
  },
  amountInWallet: {
    error: insufficientTok,
    rule: 'the poster has the amount',
    holds: (s) => s.account(s.task.poster).tok >= s.call.amount,
    lacks: (s) => lacksTok(s.account(s.task.poster).tok, s.call.amount),
  },
  inFundingWindow: atMost('FundingWindowClosed', 'at most the funding window after the claim', fundingEnd),
  inStartWindow: atMost('StartWindowClosed', 'at most a vet window after the funding window', claimEnd),
  pastClaimEnd: past(
    'NotExpired',
    'past the funding window after the claim, and past another vet window if fully funded',
    claimEnd,
  ),
  // The poster does not have to wait.
  vetted: past('VetWindowOpen', 'the poster, or the worker past the vet window', (s) =>
    s.caller === s.task.worker ? s.task.claimedAt + s.params.vetWindow : 0,
  ),
  fullyFunded: {
    error: 'NotFullyFunded',
    rule: 'the task is fully funded',
    holds: (s) => missing(s) === 0n,
    lacks: ({ task }) => ({
      amount: { token: 'tok', have: task.funded, need: task.total },
      cure: { action: 'fund-task', by: task.poster },
    }),
  },
  currentMilestone: {
    error: 'NotCurrentMilestone',
    rule: 'the milestone is the one in work',
    holds: (s) => s.call.milestone === s.task.current,
  },
  inReview: {
    error: 'NotDelivered',
    rule: 'the milestone is delivered',
    holds: (s) => s.task.reviewEnd !== 0,
    lacks: ({ task }) => (task.worker === null ? {} : { cure: { action: 'submit-proof', by: task.worker } }),
  },
  notInReview: {
    error: 'AlreadyDelivered',
    rule: 'nothing is in review',
    holds: (s) => s.task.reviewEnd === 0,
    lacks: ({ task }) => ({ cure: { action: 'accept-milestone', by: task.poster } }),
  },
  beforeDeadline: atMost('DeadlinePassed', "at most the milestone's deadline", (s) => s.task.deadline),
  pastDeadline: past('NotExpired', "past the milestone's deadline", (s) => s.task.deadline),
  beforeReviewEnd: atMost('ReviewEnded', 'at most the review window', (s) => s.task.reviewEnd),
  pastReviewEnd: past('ReviewNotEnded', 'past the review window', (s) => s.task.reviewEnd),
  revisionsLeft: {
    error: 'NoRevisionsLeft',
    rule: 'the terms allow one more revision',
    holds: (s) => s.task.revisions < s.task.maxRevisions,
  },
  hashGiven: { error: 'HashMissing', rule: 'a hash is given', holds: (s) => s.call.hashGiven },
  share: {
    error: 'InvalidShare',
    rule: 'the share is 0 to 10,000 basis points',
    holds: (s) => s.call.workerBps >= 0n && s.call.workerBps <= bps,
  },
} as const satisfies Record<string, Guard>

export type GuardName = keyof typeof guards
