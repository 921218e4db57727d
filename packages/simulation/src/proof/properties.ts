import { terminalStates } from '@svc/protocol'
import { liveStates } from '@svc/protocol/internal/tasks'
import { afterStep, type Term } from './path.ts'
import type { Property } from './query.ts'
import { held, type Party } from './vaults.ts'

const or = (terms: readonly Term[]): Term => `(or ${terms.join(' ')})`
const ofBoth = (write: (party: Party) => Term): Term[] => [write('poster'), write('worker')]
const isOver = or(terminalStates.map((state) => `(= state ${state})`))
const isLive = or(liveStates.map((state) => `(= state ${state})`))
const hasOpenCase = '(distinct phase NONE CLOSED)'

/** A judge loses more in a step than the step frees of its lock. */
const slashedTooMuch = "(and (< slashed slashed') (< (- lock lock') (- slashed' slashed)))"
/** What a ruling decides is a part of the milestone in work. */
const dividesMilestone = `(=> ${hasOpenCase} (and (= disputed amount) (<= 0 offer ask bps)))`
const settlesOnce = `(=> ${isLive} (= (+ released amount later) total))`

const clocks = ['deadline', 'reviewEnd', 'consentEnd', 'evidenceEnd', 'appealEnd', 'courtEnd'] as const
const clockStarts = or(clocks.map((clock) => `(< ${clock} ${clock}')`))
const ends = ['claimCutoff', 'claimEnd', 'rulingEnd', ...clocks] as const

// How far a task is from its end. A milestone counts 40 and a revision 8: more than all that can follow before the next.
const inWork = '(+ (* 8 revisionsLeft) (ite (= reviewEnd 0) 6 (ite (or receipted (not hasStore)) 4 5)))'
const inCase = '(ite (= phase COURT) 1 (ite (= phase RULED) 2 3))'
const inState = `(ite (= state POSTED) 38 (ite (= state CLAIMED) 39 (ite (= state ACTIVE) ${inWork} ${inCase})))`
const rank = `(ite ${isOver} 0 (+ (* 40 left) ${inState}))`

/** Each is proven for any number of tasks, milestones, disputes and calls, and for any amounts. */
export const properties = {
  escrow: {
    statement: 'The escrow vault holds what tasks hold, their exit deposits, and what waits for withdrawal.',
    anyAmounts: true,
    task: ['funded', 'released', 'refunded', 'posterExit', 'workerExit'],
    shared: [['escrowBalance', 'escrowWaiting']],
    sums: { others: `(+ ${held} posterExit workerExit)` },
    bad: `(distinct escrowBalance (+ ${held} posterExit workerExit others escrowWaiting))`,
  },
  deposits: {
    statement: 'The deposit vault holds the sum of all deposits.',
    anyAmounts: true,
    shared: [['depositBalance', 'deposits']],
    bad: '(distinct depositBalance deposits)',
  },
  reserved: {
    statement: 'The reserves of a wallet never exceed its deposit.',
    shared: [
      ['posterDeposit', 'posterReserved'],
      ['workerDeposit', 'workerReserved'],
    ],
    // What one task reserves is a part of what all tasks reserve.
    assume: '(and (<= posterReserve posterReserved) (<= workerReserve workerReserved))',
    bad: '(not (<= 0 posterReserved posterDeposit))',
  },
  arbitration: {
    statement: 'The arbitration contract holds bonds, stakes, and what waits for withdrawal.',
    task: ['stake'],
    shared: [['arbitrationBalance', 'arbitrationWaiting', 'bonds']],
    sums: { others: 'stake' },
    assume: `(or ${hasOpenCase} (= stake 0))`,
    bad: '(distinct arbitrationBalance (+ bonds stake others arbitrationWaiting))',
  },
  shares: {
    statement: 'A case is about the milestone in work, and both shares lie between nothing and all of it.',
    byState: true,
    task: ['amount', 'disputed', 'offer', 'ask'],
    bad: `(not ${dividesMilestone})`,
  },
  settledOnce: {
    statement:
      'Each milestone is settled once: a live task has released exactly the milestones before the one in work.',
    byState: true,
    task: ['total', 'released', 'amount', 'later'],
    bad: `(not ${settlesOnce})`,
  },
  paidOnce: {
    statement: 'A task pays out at most what it was funded with, and is funded with at most its total.',
    byState: true,
    task: ['total', 'funded', 'released', 'refunded'],
    assume: `(and ${dividesMilestone} ${settlesOnce})`,
    bad: '(or (< released 0) (< refunded 0) (not (<= (+ released refunded) funded total)))',
  },
  ended: {
    statement: 'A task that has ended holds no escrow.',
    byState: true,
    task: ['funded', 'released', 'refunded'],
    bad: `(and ${isOver} (distinct ${held} 0))`,
  },
  final: {
    statement: 'A task that has ended never changes.',
    byState: true,
    badStep: () => isOver,
  },
  exitDeposits: {
    statement: 'An exit deposit is locked once and leaves once, at the latest when the task ends.',
    byState: true,
    task: ['hasWorker', 'posterExit', 'workerExit'],
    bad: or(ofBoth((party) => `(and (distinct ${party}Exit 0) (or ${isOver} (distinct ${party}Exit exitDeposit)))`)),
  },
  reserves: {
    statement: 'A reserve is never negative, and is free when the task ends.',
    byState: true,
    task: ['hasWorker', 'posterReserve', 'workerReserve'],
    bad: or(ofBoth((party) => `(or (< ${party}Reserve 0) (and ${isOver} (distinct ${party}Reserve 0)))`)),
  },
  cases: {
    statement: 'A case is open exactly while its task is disputed. Its stake and its lock leave when it closes.',
    byState: true,
    task: ['stake', 'lock', 'caseLock', 'hasJudge', 'ruled'],
    bad: `(or (< stake 0) (< lock 0) (distinct ${hasOpenCase} (= state DISPUTED))
      (and (not ${hasOpenCase}) (or (distinct stake 0) (distinct lock 0))))`,
  },
  slashed: {
    statement: 'A judge loses at most what it locked for the case.',
    byState: true,
    task: ['hasJudge', 'ruled', 'lock', 'caseLock', 'disputed'],
    assume: dividesMilestone,
    badStep: () => slashedTooMuch,
  },
  locked: {
    statement: 'What cases lock of a bond never exceeds it.',
    shared: [['bond', 'locked']],
    // What one case locks is a part of what all cases lock.
    assume: `(and (<= lock locked) (<= 0 lock') (not ${slashedTooMuch}))`,
    bad: '(not (<= 0 locked bond))',
  },
  exits: {
    statement:
      'Once the deadlines of a live task have passed, a stranger can move it on, and nobody has to pay for it.',
    byState: true,
    task: ['posterExit'],
    due: `(and ${isLive} (> now (+ reviewEnd noticeTime)) ${ends.map((end) => `(> now ${end})`).join(' ')})`,
  },
  bounded: {
    statement: 'No step sets a deadline later than two of the longest windows from now.',
    task: ['evidenceEnd'],
    shared: [['now', 'longest']],
    badStep: () => or(ends.map((end) => `(and (distinct ${end} ${end}') (> ${end}' (+ now (* 2 longest))))`)),
  },
  progress: {
    statement:
      'Nobody delays the end forever: a clock starts again only closer to it, and every call of a stranger is closer.',
    byState: true,
    task: ['maxRevisions', 'revisionsLeft'],
    // Claims are the exception: they close at a time that is fixed when the task is posted.
    badStep: ({ byAnyone }) => `(and (distinct state NONE) (or (distinct claimCutoff claimCutoff')
      (ite (and (= state POSTED) (= state' CLAIMED)) (> now claimCutoff)
        (or (< ${rank} ${afterStep(rank)}) (and (= ${rank} ${afterStep(rank)}) (or ${byAnyone} ${clockStarts}))))))`,
  },
} as const satisfies Record<string, Property>
