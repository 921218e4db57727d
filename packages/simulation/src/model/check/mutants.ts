import { bps, lapsePenalty } from '@svc/protocol/internal/money'
import { type DisputeGuardName, type Guard, type GuardName, noticeTime } from '@svc/protocol/internal/tasks'
import type { DisputeTransition, Transition } from '@svc/protocol/lifecycle'
import { penalise, returnExitDeposit, sendTok, unreserve } from '../money.ts'
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

const unguarded = (operation: string, from: string, guard: GuardName): Tables =>
  rows(operation, from, (row) => ({ ...row, guards: without(row.guards, guard) }))

const unguardedDispute = (operation: string, guard: DisputeGuardName): Tables =>
  disputeRows(operation, (row) => ({ ...row, guards: without(row.guards, guard) }))

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
    name: 'a court that says nothing decides for whoever opened the case',
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
    tables: unguardedDispute('submitEvidence', 'inEvidenceWindow'),
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
    tables: unguardedDispute('decide', 'inCourtWindow'),
  },
  {
    name: 'a judge can be named while the court can be called',
    violates: 7,
    tables: unguardedDispute('propose', 'inConsentWindow'),
  },
  {
    name: 'a judge cannot give a case back',
    violates: 7,
    tables: disputeRows('stepDown', () => null),
  },
  {
    name: 'the poster cannot end work that has begun',
    violates: 7,
    tables: rows('dismiss', 'ACTIVE', () => null),
  },
  {
    name: 'a claim never expires',
    violates: 4,
    tables: rows('expire', 'CLAIMED', () => null),
  },
  {
    name: 'a case without a judge waits for ever',
    violates: 4,
    tables: disputeRows('resolveTimedOut', (row) => (row.from === 'OPEN' ? null : row)),
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
    name: 'a delivery can be cured again and again',
    violates: 4,
    scenario: 'stored',
    tables: guard('curesDelivery', (s) => s.call.receipt !== 'none'),
  },
  {
    name: 'revisions without end',
    violates: 4,
    tables: unguarded('requestRevision', 'ACTIVE', 'revisionsLeft'),
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
    tables: unguarded('activate', 'CLAIMED', 'fullyFunded'),
  },
  {
    name: 'work starts without anything at stake for the worker',
    violates: 3,
    tables: rows('claim', 'POSTED', (row) => ({ ...row, money: row.money.filter(({ move }) => move !== 'reserve') })),
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
    tables: arrival({ 'release poster': () => {} }),
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
    name: 'a judge that gives a case back stays bound',
    violates: 2,
    tables: disputeEffects({
      'remove judge': ({ task: { dispute } }) => {
        dispute.judge = null
      },
    }),
  },
  {
    name: "the worker's exit deposit is not given back",
    violates: 2,
    tables: arrival({
      'release worker': ({ world, task }) => {
        if (task.worker !== null) unreserve(world, task, task.worker)
      },
    }),
  },
  {
    name: "the worker's reserve is not given back",
    violates: 2,
    tables: arrival({
      'release worker': ({ world, task }) => {
        if (task.worker !== null) returnExitDeposit(world, task, task.worker)
      },
    }),
  },
  {
    name: 'the poster pays for a worker who is late',
    violates: 6,
    tables: rows('expire', 'ACTIVE', (row) => ({ ...row, money: [{ move: 'forfeit', of: 'poster' }] })),
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
    name: 'a dismissed worker lives from dismissals',
    violates: 9,
    tables: {
      ...tables,
      moves: {
        ...tables.moves,
        'spend exit deposit': (draft, move) => {
          const { world, task } = draft
          if (move.of === 'poster') penalise(world, task, task.poster, task.worker ?? '', lapsePenalty)
          tables.moves['spend exit deposit'](draft, move)
        },
      },
    },
  },
  {
    name: 'a case that nobody heard has its price all the same',
    violates: 9,
    tables: disputeMoves({
      'return stake': (draft, move) => {
        const { world, task } = draft
        if (task.dispute.ending === 'TIMED_OUT') penalise(world, task, task.poster, finalCourt, lapsePenalty)
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
    tables: unguarded('releaseLapsed', 'ACTIVE', 'silencePays'),
  },
  {
    name: 'a receipt that the store did not sign counts',
    violates: 17,
    scenario: 'stored',
    tables: {
      ...effects({
        'record receipt': ({ task, s }) => {
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
      'record receipt': ({ task, s }) => {
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
    tables: rows('markDelivered', 'ACTIVE', (row) =>
      row.when === 'something is in review' ? { ...row, effects: ['record receipt'] } : row,
    ),
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
  {
    name: 'what an overturned judge loses goes to the appellant',
    violates: 18,
    tables: disputeMoves({
      'slash overturned judge': (draft) => {
        const { world, task, s } = draft
        tables.disputeMoves['slash overturned judge'](draft, { move: 'slash overturned judge' })
        sendTok(world, 'burnt', s.dispute.forWorker ? task.poster : s.dispute.worker, world.tok.burnt ?? 0n)
      },
    }),
  },
  {
    name: 'what a silent judge loses goes to the treasury',
    violates: 18,
    tables: disputeMoves({
      'slash silent judge': (draft) => {
        const { world } = draft
        tables.disputeMoves['slash silent judge'](draft, { move: 'slash silent judge' })
        sendTok(world, 'burnt', 'treasury', world.tok.burnt ?? 0n)
      },
    }),
  },
  {
    name: 'a judge rules although one side never spoke',
    violates: 19,
    tables: unguardedDispute('resolve', 'bothSpoke'),
  },
  {
    name: 'a judge rules while the shares can still move',
    violates: 19,
    tables: unguardedDispute('resolve', 'pastEvidenceWindow'),
  },
  {
    name: 'the final court decides while the shares can still move',
    violates: 19,
    tables: unguardedDispute('decide', 'pastEvidenceWindow'),
  },
  {
    name: 'a ruling for one case counts for another',
    violates: 19,
    tables: unguardedDispute('resolve', 'currentCase'),
  },
  {
    name: "a notice takes the worker's exit deposit",
    violates: 20,
    tables: rows('dismiss', 'ACTIVE', (row) => ({
      ...row,
      money: [...row.money, { move: 'spend exit deposit', of: 'worker' }],
    })),
  },
  {
    name: 'whoever was told to stop and delivers nothing pays for it',
    violates: 20,
    tables: rows('expire', 'ACTIVE', (row) => ({ ...row, money: [{ move: 'forfeit', of: 'worker' }] })),
  },
  {
    name: 'whoever was told to stop has to wait',
    violates: 20,
    tables: guard('pastNotice', (s) => s.now > s.task.deadline),
  },
  {
    name: 'a notice is given after the delivery',
    violates: 20,
    tables: unguarded('dismiss', 'ACTIVE', 'nothingInReview'),
  },
  {
    name: 'a notice leaves no time to deliver',
    violates: 20,
    tables: effects({
      'give notice': ({ world, task }) => {
        task.deadline = world.now
        task.underNotice = true
      },
    }),
  },
  {
    name: 'a notice after a revision leaves no more time than another',
    violates: 20,
    tables: effects({
      'give notice': ({ world, task }) => {
        task.deadline = Math.min(task.deadline, world.now + noticeTime(task.terms, world.params))
        task.underNotice = true
      },
    }),
  },
  {
    name: 'a revision is asked for after a notice',
    violates: 20,
    tables: unguarded('requestRevision', 'ACTIVE', 'noNotice'),
  },
  {
    name: 'the next milestone starts after a notice',
    violates: 20,
    tables: rows('release', 'ACTIVE', (row) => ({ ...row, to: 'ACTIVE' })),
  },
  {
    name: 'an allowed worker comes back after it was dismissed',
    violates: 21,
    scenario: 'permit',
    tables: effects({
      'engage worker': (draft) => {
        const { allowedWorker } = draft.task
        tables.effects['engage worker'](draft)
        draft.task.allowedWorker = allowedWorker
      },
    }),
  },
  {
    name: 'anyone claims what one worker is allowed to',
    violates: 21,
    scenario: 'permit',
    tables: guard('permit', ({ task, call }) => call.permitted || task.allowedWorker !== null),
  },
]
