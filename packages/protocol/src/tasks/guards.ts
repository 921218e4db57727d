import {
  accessFee,
  actionCredit,
  bps,
  computeOpenerStake,
  entryDeposit,
  exitDeposit,
  pauseThreshold,
  taskReserve,
} from '../money/amounts.ts'
import type { MarketParams } from '../money/params.ts'
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
  /** All the money was there when the worker claimed. */
  fundedAtClaim: boolean
  claimDeadline: number
  deadline: number
  reviewEnd: number
  reviewWindow: number
  /** The store whose receipt a delivery needs for silence to pay. */
  store: string | null
  /** The store signed for the delivery in review. */
  receipted: boolean
  /** The poster has ended the work. */
  underNotice: boolean
  /** Whom the poster lets claim without a signed permit. */
  allowedWorker: string | null
  /** The amount of the current milestone. */
  amount: bigint
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
  /** The worker's share that the opener of a dispute names. */
  shareBps: bigint
  /** The store's receipt. `empty`: for no byte. `short`: it ends before the longest dispute. `forged`: the store did not sign it. */
  receipt: 'none' | 'valid' | 'empty' | 'short' | 'forged'
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
  /** The first second without entries, for good; zero if no end is set. */
  sunsetAt: number
  task: TaskFacts
  caller: string
  /** The address of the final court, which is never a party. */
  finalCourt: string
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
  /** For a guard that fails in two ways: another error, and when the contract reverts with it instead. */
  otherError?: { name: string; applies: (s: Situation) => boolean }
  /** The rule as text. */
  rule: string
  holds: (s: Situation) => boolean
  /** For a guard with a deadline: the last second at which it holds. */
  until?: (s: Situation) => number
  /** For a guard with a waiting time: the last second at which it does not hold yet. */
  after?: (s: Situation) => number
  /** For a guard that somebody can satisfy: what is missing while it fails. */
  lacks?: (s: Situation) => Lack
}

/** The last second of a claim: until then it can be funded, started, left or dismissed. */
const claimEnd = ({ task, params }: Situation): number => task.claimedAt + params.fundingWindow
/** The least time in which a worker answers a revision or a notice, and a poster a delivery under notice. */
export const noticeTime = (task: Pick<TaskFacts, 'reviewWindow'>, params: MarketParams): number =>
  Math.max(task.reviewWindow, params.minRevisionTime)
/** The last second to cure a delivery without a receipt, or to take it to arbitration. */
const graceEnd = ({ task, params }: Situation): number => task.reviewEnd + noticeTime(task, params)
/** Whether silence pays for the delivery: the poster could have opened it, as far as the terms ask for proof of that. */
export const silencePays = ({ task }: Situation): boolean => task.receipted || task.store === null
/** The last second to claim a posted task. */
const claimCutoff = ({ task, params }: Situation): number => task.claimDeadline - params.claimCutoff

const haveEntriesEnded = ({ now, sunsetAt }: Situation): boolean => sunsetAt !== 0 && now >= sunsetAt
const lacksUsdc = (by: string, have: bigint, need: bigint): Lack => ({
  amount: { token: 'usdc', have, need },
  cure: { action: 'top-up', by },
})
const lacksTok = (have: bigint, need: bigint): Lack => ({ amount: { token: 'tok', have, need } })
/** What an entry takes of a wallet's TOK: the fee, unless a credit pays it, and the exit deposit. */
const entryTok = (s: Situation, wallet: string): bigint =>
  exitDeposit + (s.account(wallet).credits >= actionCredit ? 0n : accessFee)
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
const missingReserve = ({ task }: Situation): bigint => taskReserve - task.posterReserve
const missing = ({ task }: Situation): bigint => task.total - task.funded
const insufficientTok = 'ERC20InsufficientBalance'

/** Every rule of the lifecycle table. "At most" guards limit the party that must act; "past" guards open the default outcome. */
export const guards = {
  entriesOpen: {
    error: 'EnforcedPause',
    otherError: { name: 'EntriesEnded', applies: haveEntriesEnded },
    rule: 'entries are not paused and have not ended',
    holds: (s) => !s.entriesPaused && !haveEntriesEnded(s),
  },
  posterNotCourt: {
    error: 'CourtCannotEnter',
    rule: 'the poster is not the final court',
    holds: (s) => s.task.poster !== s.finalCourt,
  },
  workerNotCourt: {
    error: 'CourtCannotEnter',
    rule: 'the worker is not the final court',
    holds: (s) => s.call.worker !== s.finalCourt,
  },
  posterEntryDeposit: {
    error: 'DepositTooLow',
    rule: "USD 25 of the poster's deposit are free",
    holds: (s) => s.account(s.task.poster).free >= entryDeposit,
    lacks: (s) => lacksUsdc(s.task.poster, s.account(s.task.poster).free, entryDeposit),
  },
  workerEntryDeposit: {
    error: 'DepositTooLow',
    rule: "USD 25 of the worker's deposit are free",
    holds: (s) => s.account(s.call.worker).free >= entryDeposit,
    lacks: (s) => lacksUsdc(s.call.worker, s.account(s.call.worker).free, entryDeposit),
  },
  posterAboveThreshold: {
    error: 'DepositTooLow',
    rule: 'the poster has USD 8 deposited',
    holds: (s) => s.account(s.task.poster).deposit >= pauseThreshold,
    lacks: (s) => lacksUsdc(s.task.poster, s.account(s.task.poster).deposit, pauseThreshold),
  },
  posterReserve: {
    error: 'InsufficientDeposit',
    rule: "the poster's free deposit covers what its USD 13 reserve lacks",
    holds: (s) => s.account(s.task.poster).free >= missingReserve(s),
    lacks: (s) => lacksUsdc(s.task.poster, s.account(s.task.poster).free, missingReserve(s)),
  },
  concessionReserve: {
    error: 'InsufficientDeposit',
    rule: "the poster's free deposit covers what its reserve lacks to USD 25",
    holds: (s) => s.account(s.task.poster).free >= entryDeposit - s.task.posterReserve,
    lacks: (s) => lacksUsdc(s.task.poster, s.account(s.task.poster).free, entryDeposit - s.task.posterReserve),
  },
  posterEntryTok: {
    error: insufficientTok,
    rule: 'the poster can pay 1,000 TOK or a credit, lock 1,000 TOK, and fund what is funded at once',
    holds: (s) => s.account(s.task.poster).tok >= entryTok(s, s.task.poster) + s.call.amount,
    lacks: (s) => lacksTok(s.account(s.task.poster).tok, entryTok(s, s.task.poster) + s.call.amount),
  },
  workerEntryTok: {
    error: insufficientTok,
    rule: 'the worker can pay 1,000 TOK or a credit, and lock 1,000 TOK',
    holds: (s) => s.account(s.call.worker).tok >= entryTok(s, s.call.worker),
    lacks: (s) => lacksTok(s.account(s.call.worker).tok, entryTok(s, s.call.worker)),
  },
  posterRelock: {
    error: insufficientTok,
    rule: 'the poster can lock 1,000 TOK again, because an open task opens again',
    holds: (s) => s.task.scope === 'PRIVATE' || s.account(s.task.poster).tok >= exitDeposit,
    lacks: (s) => lacksTok(s.account(s.task.poster).tok, exitDeposit),
  },
  openerStake: {
    error: insufficientTok,
    rule: 'the poster can put up a tenth of the milestone in TOK',
    holds: (s) => s.account(s.task.poster).tok >= computeOpenerStake(s.task.amount),
    lacks: (s) => lacksTok(s.account(s.task.poster).tok, computeOpenerStake(s.task.amount)),
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
    rule: 'the terms let anyone claim, or the poster signed a permit or allowed the worker',
    holds: ({ task, call }) =>
      task.claimPolicy === 'ANYONE' || call.permitted || (call.worker !== '' && call.worker === task.allowedWorker),
  },
  permitNeeded: {
    error: 'PermitNotNeeded',
    rule: 'a claim needs a permit',
    holds: (s) => s.task.claimPolicy === 'PERMIT',
  },
  noNotice: {
    error: 'UnderNotice',
    rule: 'the poster has not ended the work',
    holds: (s) => !s.task.underNotice,
  },
  nothingInReview: {
    error: 'AlreadyDelivered',
    rule: 'nothing is in review',
    holds: (s) => s.task.reviewEnd === 0,
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
  amountInWallet: {
    error: insufficientTok,
    rule: 'the poster has the amount',
    holds: (s) => s.account(s.task.poster).tok >= s.call.amount,
    lacks: (s) => lacksTok(s.account(s.task.poster).tok, s.call.amount),
  },
  inFundingWindow: atMost('FundingWindowClosed', 'at most the funding window after the claim', claimEnd),
  inClaim: atMost('StartWindowClosed', 'at most the funding window after the claim', claimEnd),
  pastClaimEnd: past('NotExpired', 'past the funding window after the claim', claimEnd),
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
  nothingPayable: {
    error: 'AlreadyDelivered',
    rule: 'nothing is in review that silence would pay',
    holds: (s) => s.task.reviewEnd === 0 || !silencePays(s),
    lacks: ({ task }) => ({ cure: { action: 'accept-milestone', by: task.poster } }),
  },
  curesDelivery: {
    error: 'AlreadyDelivered',
    rule: 'the delivery has no receipt, and this one brings it',
    holds: (s) => !silencePays(s) && s.call.receipt !== 'none',
  },
  silencePays: {
    error: 'ReceiptMissing',
    rule: 'the terms name no store, or it signed for the delivery',
    holds: silencePays,
  },
  storeNamed: {
    error: 'ReceiptNotNeeded',
    rule: 'a receipt comes only where the terms name a store',
    holds: (s) => s.call.receipt === 'none' || s.task.store !== null,
  },
  receiptCovers: {
    error: 'ReceiptEmpty',
    rule: 'the receipt is for at least one byte',
    holds: (s) => s.call.receipt !== 'empty',
  },
  receiptLasts: {
    error: 'ReceiptTooShort',
    rule: 'the receipt lasts until the end of the longest dispute, also after a notice',
    holds: (s) => s.call.receipt !== 'short',
  },
  receiptSigned: {
    error: 'InvalidSignature',
    rule: 'the store signed the receipt',
    holds: (s) => s.call.receipt !== 'forged',
  },
  inGrace: atMost('GraceEnded', 'at most the notice time after the review', graceEnd),
  pastGrace: past('NotExpired', 'past the notice time after the review', graceEnd),
  beforeDeadline: atMost('DeadlinePassed', "at most the milestone's deadline", (s) => s.task.deadline),
  pastDeadline: past('NotExpired', "past the milestone's deadline", (s) => s.task.deadline),
  // The worker does not have to wait.
  pastNotice: past('NotExpired', 'the worker, or past the end of the notice', (s) =>
    s.caller === s.task.worker ? 0 : s.task.deadline,
  ),
  beforeReviewEnd: atMost('ReviewEnded', 'at most the review window', (s) => s.task.reviewEnd),
  pastReviewEnd: past('ReviewNotEnded', 'past the review window', (s) => s.task.reviewEnd),
  revisionsLeft: {
    error: 'NoRevisionsLeft',
    rule: 'the terms allow one more revision',
    holds: (s) => s.task.revisions < s.task.maxRevisions,
  },
  hashGiven: { error: 'HashMissing', rule: 'a hash is given', holds: (s) => s.call.hashGiven },
  openingShare: {
    error: 'ShareOutOfRange',
    rule: 'the opener leaves something to decide: a poster less than everything, a worker more than nothing',
    holds: ({ caller, call, task }) =>
      caller === task.poster ? call.shareBps >= 0n && call.shareBps < bps : call.shareBps > 0n && call.shareBps <= bps,
  },
  share: {
    error: 'InvalidShare',
    rule: 'the share is 0 to 10,000 basis points',
    holds: (s) => s.call.workerBps >= 0n && s.call.workerBps <= bps,
  },
} as const satisfies Record<string, Guard>

export type GuardName = keyof typeof guards
