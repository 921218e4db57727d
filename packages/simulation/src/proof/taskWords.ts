import type { Effect, EntryEffect, GuardName, Move } from '@svc/protocol/internal/tasks'
import type { conditions as taskConditions, roles as taskRoles } from '@svc/protocol/lifecycle'
import { isShare } from './constants.ts'
import { type Describe, type Term, type Update, untracked } from './path.ts'
import { addReserve, freeReserve, held, lockExit, payExit, pushEscrow, takePenalty } from './vaults.ts'

const silencePays = '(or receipted (not hasStore))'
const isLast = '(or underNotice (= left 0))'
const free = (party: 'poster' | 'worker'): Term => `(- ${party}Deposit ${party}Reserved)`

export const conditions: Readonly<Record<keyof typeof taskConditions, Term>> = {
  'funded when claimed': 'fundedAtClaim',
  'not funded when claimed': '(not fundedAtClaim)',
  'more milestones follow': `(not ${isLast})`,
  'last milestone': isLast,
  'nothing is in review': '(= reviewEnd 0)',
  'nothing is in review, no notice': '(and (= reviewEnd 0) (not underNotice))',
  'nothing is in review, under notice': '(and (= reviewEnd 0) underNotice)',
  'something is in review': '(distinct reviewEnd 0)',
  'silence pays': silencePays,
  'silence does not pay': `(not ${silencePays})`,
}

/** Who calls. `null`: only the other contract does. */
export const roles: Readonly<Record<keyof typeof taskRoles, Term | null>> = {
  poster: '(= caller aPoster)',
  worker: '(and (= caller aWorker) hasWorker)',
  party: '(or (= caller aPoster) (= caller aWorker))',
  claimant: '(distinct caller aPoster)',
  arbitration: null,
  anyone: 'true',
}

/**
 * `true` is a parameter that every caller can supply. `untracked` concerns nothing that the proof tracks: a step may happen
 * whether it holds or not, and an exit never relies on it.
 */
export const guards: Readonly<Record<GuardName, Term>> = {
  entriesOpen: untracked,
  posterNotCourt: untracked,
  workerNotCourt: untracked,
  posterEntryDeposit: `(<= entryDeposit ${free('poster')})`,
  workerEntryDeposit: `(<= entryDeposit ${free('worker')})`,
  posterAboveThreshold: '(<= pauseThreshold posterDeposit)',
  posterReserve: `(<= (- taskReserve posterReserve) ${free('poster')})`,
  concessionReserve: `(<= (- entryDeposit posterReserve) ${free('poster')})`,
  posterEntryTok: untracked,
  workerEntryTok: untracked,
  posterRelock: untracked,
  openerStake: untracked,
  twoParties: untracked,
  signed: untracked,
  digest: 'true',
  beforeCutoff: '(<= now claimCutoff)',
  pastCutoff: '(> now claimCutoff)',
  permit: untracked,
  permitNeeded: untracked,
  noNotice: '(not underNotice)',
  nothingInReview: '(= reviewEnd 0)',
  amountMissing: '(<= 1 callAmount (- total funded))',
  firstFunding: '(<= 0 callAmount (- total funded))',
  amountInWallet: untracked,
  inFundingWindow: '(<= now claimEnd)',
  inClaim: '(<= now claimEnd)',
  pastClaimEnd: '(> now claimEnd)',
  vetted: untracked,
  fullyFunded: '(= total funded)',
  currentMilestone: 'true',
  inReview: '(distinct reviewEnd 0)',
  nothingPayable: `(or (= reviewEnd 0) (not ${silencePays}))`,
  curesDelivery: `(and (not ${silencePays}) (distinct callReceipt noReceipt))`,
  silencePays,
  storeNamed: '(or (= callReceipt noReceipt) hasStore)',
  receiptCovers: '(distinct callReceipt emptyReceipt)',
  receiptLasts: '(distinct callReceipt shortReceipt)',
  receiptSigned: '(distinct callReceipt forgedReceipt)',
  inGrace: '(<= now (+ reviewEnd noticeTime))',
  pastGrace: '(> now (+ reviewEnd noticeTime))',
  beforeDeadline: '(<= now deadline)',
  pastDeadline: '(> now deadline)',
  pastNotice: '(or (= caller aWorker) (> now deadline))',
  beforeReviewEnd: '(<= now reviewEnd)',
  pastReviewEnd: '(> now reviewEnd)',
  revisionsLeft: '(> revisionsLeft 0)',
  hashGiven: 'true',
  openingShare: '(ite (= caller aPoster) (< callShare bps) (<= 1 callShare bps))',
  share: '(<= callShare bps)',
}

export const effects: Readonly<Record<Effect, Update>> = {
  'store terms': {
    facts: ['(=> (= ?left 0) (= ?later 0))', '(<= ?revisions revisionLimit)'],
    set: {
      isPrivate: '?isPrivate',
      hasStore: '?isStored',
      amount: '?amount',
      later: '?later',
      left: '?left',
      total: '(+ ?amount ?later)',
      maxRevisions: '?revisions',
      revisionsLeft: '?revisions',
      noticeTime: '?windowOfNotice',
      claimCutoff: '(+ now ?windowOfClaims)',
    },
  },
  'allow worker': {},
  'engage worker': { set: { hasWorker: 'true', fundedAtClaim: '(= funded total)', claimEnd: '(+ now ?window)' } },
  'start milestone': { set: { deadline: '(+ now ?window)' } },
  'give notice': { set: { deadline: '(min deadline (+ now ?window))', underNotice: 'true' } },
  'start review': { set: { reviewEnd: '(+ now ?window)' } },
  'record receipt': { facts: ['(<= callReceipt forgedReceipt)'], set: { receipted: '(= callReceipt validReceipt)' } },
  'reopen milestone': {
    set: {
      deadline: '(max deadline (+ now ?window))',
      revisionsLeft: '(- revisionsLeft 1)',
      reviewEnd: '0',
      receipted: 'false',
    },
  },
  'accept milestone': {
    facts: ['(<= ?next later)', '(=> (<= left 1) (= ?next later))'],
    set: {
      amount: '?next',
      later: '(- later ?next)',
      left: '(max 0 (- left 1))',
      deadline: `(ite ${isLast} 0 (+ now ?window))`,
      revisionsLeft: 'maxRevisions',
      reviewEnd: '0',
      receipted: 'false',
    },
  },
  'accept all': { set: { amount: '0', later: '0', left: '0' } },
  'open case': { perform: 'open' },
  'raise reserve': addReserve('poster', '(max 0 (- entryDeposit posterReserve))'),
  'concede case': { perform: 'concede' },
  'abandon case': { perform: 'abandon' },
  'record share': {},
  'record ruling': {},
}

/** Pays the worker, or the court, out of the escrow. */
const release = (amount: Term): Update => ({
  let: { paid: amount },
  set: { released: '(+ released ?paid)', ...pushEscrow('?paid') },
})
const releaseShare = (amount: Term): Update => ({
  ...release('?part'),
  facts: [isShare('?part', amount, 'callShare')],
})
const heldBefore = '(- old.funded old.released old.refunded)'

/** What each move does; the row names it. */
export const moves: { readonly [M in Move['move']]: Describe<Extract<Move, { move: M }>> } = {
  // The gateway shares a fee out at once: no vault holds it.
  fee: () => [{ pulls: ['accessFee'] }],
  reserve: ({ of }) => [addReserve(of, `(max 0 (- taskReserve ${of}Reserve))`)],
  'lock exit deposit': ({ of }) => [lockExit(of)],
  'spend exit deposit': ({ of }) => [payExit(of)],
  forfeit: ({ of }) => [takePenalty(of, 'lapsePenalty'), payExit(of)],
  fund: () => [
    {
      pulls: ['callAmount'],
      set: { funded: '(+ funded callAmount)', escrowBalance: '(+ escrowBalance callAmount)' },
    },
  ],
  pay: ({ what }) => [
    {
      milestone: release('old.amount'),
      held: release(heldBefore),
      'share of milestone': releaseShare('(- old.amount courtShare)'),
      'share of held': releaseShare(heldBefore),
    }[what],
  ],
  'court costs': () => [
    payExit('poster', 'posterForfeits'),
    payExit('worker', 'workerForfeits'),
    release('courtShare'),
  ],
}

export const entryEffects: Readonly<Record<EntryEffect, readonly Update[]>> = {
  'release worker': [freeReserve('worker', 'hasWorker'), payExit('worker', 'hasWorker')],
  'clear worker': [{ set: { hasWorker: 'false', fundedAtClaim: 'false', claimEnd: '0' } }],
  'restore poster': [lockExit('poster', '(ite (= posterExit 0) exitDeposit 0)')],
  'release poster': [freeReserve('poster'), payExit('poster')],
  'refund held': [{ let: { paid: held }, set: { refunded: '(+ refunded ?paid)', ...pushEscrow('?paid') } }],
}
