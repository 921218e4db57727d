import { exitPenalty } from '../../../packages/protocol/src/amounts.ts'
import type { DisputeTransition } from '../../../packages/protocol/src/disputes.ts'
import type { Guard, GuardName } from '../../../packages/protocol/src/guards.ts'
import type { Transition } from '../../../packages/protocol/src/lifecycle.ts'
import { penalise, sendTok, unreserve } from '../money.ts'
import { type Tables, tables } from '../tables.ts'
import { amountOf, heldOf } from '../world.ts'
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
    tables: {
      ...tables,
      disputeMoves: {
        ...tables.disputeMoves,
        'slash silent': (draft, move) => {
          const { withdrawable } = draft.world
          tables.disputeMoves['slash silent'](draft, move)
          draft.world.withdrawable = withdrawable
        },
      },
    },
  },
  {
    name: 'expiry refunds delivered work',
    violates: 5,
    tables: rows('expire', 'ACTIVE', (row) => ({ ...row, guards: without(row.guards, 'notInReview') })),
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
    name: 'the record decides against the only party that spoke',
    violates: 5,
    tables: {
      ...tables,
      disputeEffects: {
        ...tables.disputeEffects,
        'rule by record': ({ task: { dispute } }) => {
          dispute.workerBps = 0n
        },
      },
    },
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
    name: 'evidence comes in after the record has closed',
    violates: 7,
    tables: disputeRows('submitEvidence', (row) => ({ ...row, guards: without(row.guards, 'beforeRecordCloses') })),
  },
  {
    name: 'a claim never expires',
    violates: 4,
    tables: rows('expire', 'CLAIMED', () => null),
  },
  {
    name: 'a silent panel holds the case for ever',
    violates: 4,
    tables: disputeRows('resolveTimedOut', (row) => (row.from === 'EVIDENCE' ? null : row)),
  },
  {
    name: 'silent panels are replaced without end',
    violates: 4,
    tables: disputeRows('resolveTimedOut', (row) =>
      row.when === 'the second panel was silent'
        ? { ...row, to: 'OPEN', effects: ['remove silent', 'replace panel'], money: [{ move: 'slash silent' }] }
        : row,
    ),
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
    name: 'work starts on a reserve that missed windows have eaten into',
    violates: 3,
    tables: rows('fund', 'CLAIMED', (row) => ({ ...row, money: [{ move: 'fund' }] })),
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
    name: "the poster's reserve is not given back",
    violates: 2,
    tables: arrival({ 'free poster': () => {} }),
  },
  {
    name: "the worker's slot is not given back",
    violates: 2,
    tables: arrival({
      'let worker go': ({ world, task }) => {
        if (task.worker !== null) unreserve(world, task, task.worker)
      },
    }),
  },
  {
    name: 'the poster pays for a worker who is late',
    violates: 6,
    tables: {
      ...tables,
      moves: {
        ...tables.moves,
        penalty: (draft, move) => {
          const { world, task, before } = draft
          if (before.state !== 'ACTIVE' || task.state !== 'EXPIRED') return tables.moves.penalty(draft, move)
          penalise(world, task, task.poster, task.worker ?? '', exitPenalty)
        },
      },
    },
  },
  {
    name: 'each claim fills up what the missed window before it took from a silent poster',
    violates: 6,
    tables: rows('claim', 'POSTED', (row) => ({ ...row, money: [...row.money, { move: 'reserve', of: 'poster' }] })),
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
    name: 'a dispute costs its fee in advance',
    violates: 10,
    scenario: 'penniless',
    tables: rows('openDispute', 'ACTIVE', (row) => ({ ...row, guards: [...row.guards, 'posterFee', 'workerFee'] })),
  },
  {
    name: 'a pause stops payments too',
    violates: 10,
    scenario: 'paused',
    tables: rows('releaseLapsed', 'ACTIVE', (row) => ({ ...row, guards: ['entriesOpen', ...row.guards] })),
  },
]
