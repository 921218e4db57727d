import { bps, exitPenalty } from '../../../packages/protocol/src/amounts.ts'
import type { DisputeTransition } from '../../../packages/protocol/src/disputes.ts'
import type { Guard, GuardName } from '../../../packages/protocol/src/guards.ts'
import type { Transition } from '../../../packages/protocol/src/lifecycle.ts'
import { charge, penalise, returnExitDeposit, sendTok, unreserve } from '../money.ts'
import { type Tables, tables } from '../tables.ts'
import { amountOf, finalCourt, heldOf } from '../world.ts'
import type { small } from './scenarios.ts'

/** A defect that task escrows have shipped with, and the number of the property it violates. */
export interface Mutant {
  name: string
  violates: number
  /** Where it shows, if not with an open task of rich parties. */
  scenario?: keyof typeof small
  tables: Tables
}

/** The lifecycle with some rows changed; null takes a row out. */
function rows(operation: string, from: string, change: (row: Transition) => Transition | null): Tables {
  const lifecycle = tables.lifecycle.flatMap((row) =>
    row.operation === operation && row.from === from ? (change(row) ?? []) : row,
  )
  return { ...tables, lifecycle }
}

function disputeRows(operation: string, change: (row: DisputeTransition) => DisputeTransition | null): Tables {
  return {
    ...tables,
    disputes: tables.disputes.flatMap((row) => (row.operation === operation ? (change(row) ?? []) : row)),
  }
}

const without = <Name>(names: readonly Name[], name: Name): Name[] => names.filter((other) => other !== name)

const guard = (name: GuardName, holds: Guard['holds']): Tables => ({
  ...tables,
  guards: { ...tables.guards, [name]: { ...tables.guards[name], holds } },
})

const effects = (change: Partial<Tables['effects']>): Tables => ({
  ...tables,
  effects: { ...tables.effects, ...change },
})

const disputeEffects = (change: Partial<Tables['disputeEffects']>): Tables => ({
  ...tables,
  disputeEffects: { ...tables.disputeEffects, ...change },
})

const disputeMoves = (change: Partial<Tables['disputeMoves']>): Tables => ({
  ...tables,
  disputeMoves: { ...tables.disputeMoves, ...change },
})

const arrival = (change: Partial<Tables['onArrival']>): Tables => ({
  ...tables,
  onArrival: { ...tables.onArrival, ...change },
})

const refundAgain: Transition = {
  operation: 'expire',
  from: 'EXPIRED',
  by: 'anyone',
  guards: ['pastCutoff'],
  to: 'EXPIRED',
  effects: [],
  money: [],
}

/** Each changes one thing. */
export const mutants: readonly Mutant[] = [
  {
    name: 'a refund pays what was promised, not what is held',
    violates: 1,
    tables: arrival({
      'refund held': ({ world, task }) => {
        task.refunded += task.total
        sendTok(world, 'escrowVault', task.poster, task.total)
      },
    }),
  },
  {
    name: 'an expired task can be refunded again',
    violates: 8,
    tables: {
      ...arrival({
        'refund held': ({ world, task }) => {
          const amount = task.funded - task.released
          task.refunded += amount
          sendTok(world, 'escrowVault', task.poster, amount)
        },
      }),
      lifecycle: [...tables.lifecycle, refundAgain],
    },
  },
  {
    name: 'a slashed bond goes nowhere',
    violates: 1,
    tables: disputeMoves({
      'slash silent judge': ({ world, before: { dispute } }) => {
        const judge = dispute.judge ?? ''
        const arbitrator = world.arbitrators[judge]
        if (arbitrator) world.arbitrators = { ...world.arbitrators, [judge]: { ...arbitrator, bond: 0n } }
      },
    }),
  },
  {
    name: 'a judge is freed twice',
    violates: 1,
    tables: disputeEffects({
      'end by decision': (draft) => {
        tables.disputeEffects['end by decision'](draft)
        tables.disputeEffects['end by decision'](draft)
      },
    }),
  },
  {
    name: 'expiry refunds delivered work',
    violates: 5,
    tables: rows('expire', 'ACTIVE', (row) => ({
      ...row,
      guards: row.when === 'something is in review' ? ['pastReviewEnd'] : row.guards,
    })),
  },
  {
    name: 'silence refunds the poster',
    violates: 5,
    tables: rows('releaseLapsed', 'ACTIVE', (row) => ({ ...row, to: 'EXPIRED', effects: [], money: [] })),
  },
  {
    name: 'the poster may cancel work that was delivered',
    violates: 5,
    tables: {
      ...tables,
      lifecycle: [
        ...tables.lifecycle,
        { ...refundAgain, operation: 'cancel', from: 'ACTIVE', by: 'poster', guards: [] },
      ],
    },
  },
  {
    name: 'an empty bench decides for whoever opened the case',
    violates: 5,
    tables: disputeEffects({
      'end by time': ({ task: { dispute } }) => {
        dispute.ending = 'TIMED_OUT'
        dispute.workerBps = dispute.openedByPoster ? dispute.offerBps : dispute.askBps
      },
    }),
  },
  {
    name: 'the worker leaves with the pay of delivered work at stake',
    violates: 5,
    tables: rows('leaveTask', 'ACTIVE', (row) => ({ ...row, guards: [] })),
  },
  {
    name: 'the dispute window closes a second before the default opens',
    violates: 7,
    tables: guard('beforeReviewEnd', (s) => s.now < s.task.reviewEnd),
  },
  {
    name: 'the default opens while a dispute can still be opened',
    violates: 7,
    tables: guard('pastReviewEnd', (s) => s.now >= s.task.reviewEnd),
  },
  {
    name: 'evidence comes in after its window',
    violates: 7,
    tables: disputeRows('submitEvidence', (row) => ({ ...row, guards: without(row.guards, 'inEvidenceWindow') })),
  },
  {
    name: 'a worker leaves a claim that has ended',
    violates: 7,
    tables: rows('leaveTask', 'CLAIMED', (row) => ({ ...row, guards: [] })),
  },
  {
    name: 'a delivery is forfeited while it can still be cured',
    violates: 7,
    scenario: 'stored',
    tables: guard('pastGrace', (s) => s.now > s.task.reviewEnd),
  },
  {
    name: 'the final court decides after its time',
    violates: 7,
    tables: disputeRows('decide', (row) => ({ ...row, guards: without(row.guards, 'inCourtWindow') })),
  },
  {
    name: 'a claim never expires',
    violates: 4,
    tables: rows('expire', 'CLAIMED', () => null),
  },
  {
    name: 'a silent judge holds the case for ever',
    violates: 4,
    tables: disputeRows('resolveTimedOut', (row) => (row.from === 'EVIDENCE' ? null : row)),
  },
  {
    name: 'a silent final court holds the case for ever',
    violates: 4,
    tables: disputeRows('resolveTimedOut', (row) => (row.from === 'COURT' ? null : row)),
  },
  {
    name: 'a delivery without a receipt has no end',
    violates: 4,
    scenario: 'stored',
    tables: rows('expire', 'ACTIVE', (row) => (row.when === 'something is in review' ? null : row)),
  },
  {
    name: 'a timed-out court is called again without end',
    violates: 4,
    tables: disputeRows('resolveTimedOut', (row) =>
      row.from === 'COURT' ? { ...row, to: 'COURT', effects: ['call court'], money: [] } : row,
    ),
  },
  {
    name: 'a receipt can be attached again and again',
    violates: 4,
    scenario: 'stored',
    tables: guard('receiptNeeded', () => true),
  },
  {
    name: 'revisions without end',
    violates: 4,
    tables: rows('requestRevision', 'ACTIVE', (row) => ({ ...row, guards: without(row.guards, 'revisionsLeft') })),
  },
  {
    name: 'a paid milestone can be released again',
    violates: 8,
    tables: {
      ...guard('currentMilestone', (s) => s.call.milestone <= s.task.current),
      effects: {
        ...tables.effects,
        'accept milestone': (draft) => {
          if (draft.s.call.milestone === draft.before.current) tables.effects['accept milestone'](draft)
        },
      },
      moves: {
        ...tables.moves,
        pay: ({ world, task, before, s }) => {
          const amount = amountOf(before, s.call.milestone)
          task.released += amount
          sendTok(world, 'escrowVault', task.worker ?? '', amount)
        },
      },
    },
  },
  {
    name: 'a ruling freezes the money of later milestones',
    violates: 2,
    tables: arrival({
      'refund held': (draft) => {
        const { world, task, before } = draft
        if (task.state !== 'RESOLVED') return tables.onArrival['refund held'](draft)
        const amount = amountOf(before, before.current) - (heldOf(before) - heldOf(task))
        task.refunded += amount
        sendTok(world, 'escrowVault', task.poster, amount)
      },
    }),
  },
  {
    name: 'work starts on half the money',
    violates: 3,
    tables: rows('activate', 'CLAIMED', (row) => ({ ...row, guards: without(row.guards, 'fullyFunded') })),
  },
  {
    name: 'work starts on a reserve that a dismissal has eaten into',
    violates: 3,
    tables: {
      ...arrival({ 'restore poster': () => {} }),
      lifecycle: rows('claim', 'POSTED', (row) => ({
        ...row,
        money: row.money.filter((move) => !(move.move === 'reserve' && move.of === 'poster')),
      })).lifecycle.map((row) => (row.operation === 'fund' ? { ...row, money: [{ move: 'fund' }] } : row)),
    },
  },
  {
    name: 'completing pays one milestone and drops the rest',
    violates: 3,
    tables: rows('complete', 'ACTIVE', (row) => ({ ...row, money: [{ move: 'pay', what: 'milestone' }] })),
  },
  {
    name: 'a concession forgets to close the case',
    violates: 7,
    tables: rows('release', 'DISPUTED', (row) => ({ ...row, effects: without(row.effects, 'concede case') })),
  },
  {
    name: "the poster's deposits are not given back",
    violates: 2,
    tables: arrival({ 'let poster go': () => {} }),
  },
  {
    name: "the opener's stake stays behind when the parties agree",
    violates: 2,
    tables: disputeRows('abandon', (row) => ({ ...row, money: [] })),
  },
  {
    name: 'a judge stays bound when the poster concedes',
    violates: 2,
    tables: disputeEffects({
      'end by concession': ({ task: { dispute } }) => {
        dispute.ending = 'CONCEDED'
        dispute.workerBps = bps
      },
    }),
  },
  {
    name: "the worker's exit deposit is not given back",
    violates: 2,
    tables: arrival({
      'let worker go': ({ world, task }) => {
        if (task.worker !== null) unreserve(world, task, task.worker)
      },
    }),
  },
  {
    name: "the worker's reserve is not given back",
    violates: 2,
    tables: arrival({
      'let worker go': ({ world, task }) => {
        if (task.worker !== null) returnExitDeposit(world, task, task.worker)
      },
    }),
  },
  {
    name: 'the poster pays for a worker who is late',
    violates: 6,
    tables: rows('expire', 'ACTIVE', (row) => ({
      ...row,
      money: [{ move: 'penalty', of: 'poster', what: 'whole reserve' }],
    })),
  },
  {
    name: 'an offer that was not kept opens again and catches the next worker',
    violates: 6,
    tables: rows('expire', 'CLAIMED', (row) => ({ ...row, to: { OPEN: 'POSTED', PRIVATE: 'EXPIRED' } })),
  },
  {
    name: 'a late worker is paid all the same',
    violates: 6,
    tables: rows('expire', 'ACTIVE', (row) => ({ ...row, money: [{ move: 'pay', what: 'milestone' }] })),
  },
  {
    name: 'whoever ends a wait takes a tip out of the escrow',
    violates: 9,
    tables: arrival({
      'refund held': (draft) => {
        const { world, task, caller } = draft
        if (heldOf(task) > 0n) {
          task.released += 1n
          sendTok(world, 'escrowVault', caller, 1n)
        }
        tables.onArrival['refund held'](draft)
      },
    }),
  },
  {
    name: 'a dismissed worker lives from the penalty',
    violates: 9,
    tables: {
      ...tables,
      moves: {
        ...tables.moves,
        penalty: (draft, move) => {
          const { world, task } = draft
          if (move.of === 'worker') return tables.moves.penalty(draft, move)
          penalise(world, task, task.poster, task.worker ?? '', exitPenalty)
        },
      },
    },
  },
  {
    name: 'a case that nobody heard has its price all the same',
    violates: 9,
    tables: disputeMoves({
      'return stake': (draft, move) => {
        if (draft.task.dispute.ending === 'TIMED_OUT') charge(draft.world, draft.task.poster, finalCourt, exitPenalty)
        tables.disputeMoves['return stake'](draft, move)
      },
    }),
  },
  {
    name: 'a worker without a receipt needs a stake to be heard',
    violates: 10,
    scenario: 'poorStored',
    tables: rows('openDispute', 'ACTIVE', (row) =>
      row.when === 'silence does not pay' ? { ...row, guards: [...row.guards, 'workerEntryTok'] } : row,
    ),
  },
  {
    name: 'leaving costs a fee that an empty wallet does not have',
    violates: 10,
    scenario: 'penniless',
    tables: rows('leaveTask', 'ACTIVE', (row) => ({ ...row, guards: [...row.guards, 'workerEntryTok'] })),
  },
  {
    name: 'a pause stops payments too',
    violates: 10,
    scenario: 'paused',
    tables: rows('releaseLapsed', 'ACTIVE', (row) => ({ ...row, guards: ['entriesOpen', ...row.guards] })),
  },
  {
    name: 'silence pays for the hash of nothing',
    violates: 17,
    scenario: 'stored',
    tables: rows('releaseLapsed', 'ACTIVE', (row) => ({ ...row, guards: without(row.guards, 'silencePays') })),
  },
  {
    name: 'a receipt that the store did not sign counts',
    violates: 17,
    scenario: 'stored',
    tables: {
      ...effects({
        'note receipt': ({ task, s }) => {
          task.receipted = s.call.receipt !== 'none'
        },
      }),
      guards: { ...tables.guards, receiptSigned: { ...tables.guards.receiptSigned, holds: () => true } },
    },
  },
  {
    name: 'the receipt of the first delivery counts for the revision',
    violates: 17,
    scenario: 'stored',
    tables: effects({
      'note receipt': ({ task, s }) => {
        task.receipted ||= s.call.receipt === 'valid'
      },
      'reopen milestone': (draft) => {
        const { receipted } = draft.task
        tables.effects['reopen milestone'](draft)
        draft.task.receipted = receipted
      },
    }),
  },
  {
    name: 'a receipt at the last second leaves the poster no time to look',
    violates: 17,
    scenario: 'stored',
    tables: rows('attachReceipt', 'ACTIVE', (row) => ({ ...row, effects: ['note receipt'] })),
  },
  {
    name: 'an unheard worker is paid without a receipt',
    violates: 17,
    scenario: 'stored',
    tables: {
      ...rows('openDispute', 'ACTIVE', (row) =>
        row.when === 'silence does not pay'
          ? { ...row, by: 'poster', guards: ['currentMilestone', 'inReview', 'hashGiven', 'openingShare'] }
          : row,
      ),
    },
  },
]
