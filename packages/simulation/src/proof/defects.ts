import type { DisputeGuardName, GuardName } from '@svc/protocol/internal/tasks'
import type { DisputeTransition, Transition } from '@svc/protocol/lifecycle'
import { slash } from './disputeWords.ts'
import type { properties } from './properties.ts'
import { type Rules, rules } from './rules.ts'
import { freeReserve, held, lockExit, payExit, pushArbitration, pushEscrow } from './vaults.ts'

/** The lifecycle with some rows changed; null takes a row out. */
function rows(operation: string, from: string, change: (row: Transition) => Transition | null): Rules {
  const isMeant = (row: Transition) => row.operation === operation && row.from === from
  return { ...rules, lifecycle: rules.lifecycle.flatMap((row) => (isMeant(row) ? (change(row) ?? []) : row)) }
}

function disputeRows(operation: string, change: (row: DisputeTransition) => DisputeTransition | null): Rules {
  const isMeant = (row: DisputeTransition) => row.operation === operation
  return { ...rules, disputes: rules.disputes.flatMap((row) => (isMeant(row) ? (change(row) ?? []) : row)) }
}

const without = <Name>(names: readonly Name[], name: Name): Name[] => names.filter((other) => other !== name)
const unguarded = (operation: string, from: string, guard: GuardName): Rules =>
  rows(operation, from, (row) => ({ ...row, guards: without(row.guards, guard) }))
const unguardedDispute = (operation: string, guard: DisputeGuardName): Rules =>
  disputeRows(operation, (row) => ({ ...row, guards: without(row.guards, guard) }))

const tasks = <Kind extends 'effects' | 'moves' | 'entryEffects'>(
  kind: Kind,
  words: Partial<Rules['tasks'][Kind]>,
): Rules => ({ ...rules, tasks: { ...rules.tasks, [kind]: { ...rules.tasks[kind], ...words } } })
const cases = <Kind extends 'disputeEffects' | 'disputeMoves'>(
  kind: Kind,
  words: Partial<Rules['cases'][Kind]>,
): Rules => ({ ...rules, cases: { ...rules.cases, [kind]: { ...rules.cases[kind], ...words } } })
const accounts = (words: Rules['accounts']): Rules => ({ ...rules, accounts: { ...rules.accounts, ...words } })
const entering = (states: Partial<Rules['onEnter']>): Rules => ({ ...rules, onEnter: { ...rules.onEnter, ...states } })

/** Mistakes in the tables or in the meaning of a word, by the property that each breaks. Each changes one thing. */
export const defects: Readonly<Record<keyof typeof properties, Readonly<Record<string, Rules>>>> = {
  escrow: {
    'A refund is paid but not recorded.': tasks('entryEffects', { 'refund held': [{ set: pushEscrow(held) }] }),
    'An exit deposit that is spent is paid twice.': tasks('moves', {
      'spend exit deposit': ({ of }) => [{ set: pushEscrow(`${of}Exit`) }, payExit(of)],
    }),
    'A withdrawal stays withdrawable.': accounts({
      withdrawEscrow: { set: { escrowBalance: '(- escrowBalance ?amount)' } },
    }),
  },
  deposits: {
    'A missed duty pays the treasury and takes nothing from the reserve.': tasks('moves', {
      forfeit: () => [{ set: { deposits: '(+ deposits lapsePenalty)' } }],
    }),
    'A withdrawal leaves the deposit as it was.': accounts({
      withdrawDeposit: { set: { depositBalance: '(- depositBalance ?amount)' } },
    }),
  },
  reserved: {
    'A withdrawal ignores what tasks reserve.': accounts({
      withdrawDeposit: {
        checks: ['(<= ?amount posterDeposit)'],
        set: { posterDeposit: '(- posterDeposit ?amount)' },
      },
    }),
    'A claim reserves more than the worker has.': unguarded('claim', 'POSTED', 'workerEntryDeposit'),
    'A poster disputes without a reserve.': unguarded('openDispute', 'ACTIVE', 'posterReserve'),
    'An appeal needs no deposit.': unguardedDispute('escalate', 'appealFee'),
  },
  arbitration: {
    'A slashed bond is not burnt.': cases('disputeMoves', {
      'slash silent judge': () => [{ set: { bonds: '(- bonds minJudgeLock)' } }],
    }),
    'A stake that went back can go back again.': cases('disputeMoves', {
      'return stake': () => [{ set: pushArbitration('stake') }],
    }),
  },
  shares: {
    'A party names a share beyond the two.': unguardedDispute('submitEvidence', 'shareBetween'),
    'A worker opens a case and asks for more than the milestone.': unguarded('openDispute', 'ACTIVE', 'openingShare'),
  },
  settledOnce: {
    'A paid milestone can be paid again.': tasks('effects', { 'accept milestone': { set: { reviewEnd: '0' } } }),
    'Silence pays all that is held for one milestone.': rows('releaseLapsed', 'ACTIVE', (row) => ({
      ...row,
      money: [{ move: 'pay', what: 'held' }],
    })),
  },
  paidOnce: {
    'Work starts on half the money.': unguarded('activate', 'CLAIMED', 'fullyFunded'),
    'A refund pays what was promised, not what is held.': tasks('entryEffects', {
      'refund held': [{ set: { refunded: '(+ refunded total)' } }],
    }),
    'A task can be funded twice.': unguarded('fund', 'CLAIMED', 'amountMissing'),
    'A ruling pays the court on top of the milestone.': tasks('moves', {
      'court costs': () => [{ set: { released: '(+ released maxCourtShare)' } }],
    }),
  },
  ended: {
    'A ruling freezes the money of later milestones.': entering({ RESOLVED: ['release worker', 'release poster'] }),
    'A cancelled task keeps what it holds.': entering({ CANCELLED: ['release worker', 'release poster'] }),
  },
  final: {
    'An expired task can expire again.': {
      ...rules,
      lifecycle: rules.lifecycle.flatMap((row) => (row.to === 'EXPIRED' ? [row, { ...row, from: 'EXPIRED' }] : row)),
    },
    'A case can be reopened after the end.': disputeRows('resolveTimedOut', (row) => ({ ...row, from: 'CLOSED' })),
  },
  exitDeposits: {
    "The poster's exit deposit is not given back.": tasks('entryEffects', {
      'release poster': [freeReserve('poster')],
    }),
    'A worker that leaves keeps its deposit locked.': entering({ POSTED: ['clear worker', 'restore poster'] }),
    'An offer that opens again locks a second deposit.': tasks('entryEffects', {
      'restore poster': [lockExit('poster')],
    }),
  },
  reserves: {
    "The worker's reserve is not given back.": tasks('entryEffects', {
      'release worker': [payExit('worker', 'hasWorker')],
    }),
    'A penalty takes more than the reserve.': cases('disputeMoves', {
      'pay worker': () => [{ set: { posterReserve: '(- posterReserve entryDeposit 1)' } }],
    }),
  },
  cases: {
    'A concession forgets to close the case.': rows('release', 'DISPUTED', (row) => ({
      ...row,
      effects: without(row.effects, 'concede case'),
    })),
    "The opener's stake stays behind when the parties agree.": disputeRows('abandon', (row) => ({ ...row, money: [] })),
    'A judge that gives a case back stays bound.': cases('disputeEffects', {
      'remove judge': { set: { hasJudge: 'false' } },
    }),
    'A judge is freed twice.': cases('disputeEffects', {
      'end by decision': { set: { lock: '(- lock caseLock caseLock)' } },
    }),
  },
  slashed: {
    'A silent judge pays and stays bound.': disputeRows('resolveTimedOut', (row) => ({
      ...row,
      effects: without(row.effects, 'remove judge'),
    })),
    'An overturned judge loses its whole bond.': cases('disputeMoves', {
      'slash overturned judge': () => [slash('bond')],
    }),
  },
  locked: {
    'A judge takes any number of cases on one bond.': unguardedDispute('propose', 'eligible'),
    'A judge takes its bond out while it sits.': accounts({ unbond: { set: { bond: '0' } } }),
  },
  exits: {
    'A claim never expires.': rows('expire', 'CLAIMED', () => null),
    'A delivery without a receipt has no end.': rows('expire', 'ACTIVE', (row) =>
      row.when === 'something is in review' ? null : row,
    ),
    'A case without a judge waits forever.': disputeRows('resolveTimedOut', (row) =>
      row.from === 'OPEN' ? null : row,
    ),
    'A ruling that nobody appeals waits forever.': disputeRows('finalize', () => null),
    'A pause stops payments.': rows('releaseLapsed', 'ACTIVE', (row) => ({
      ...row,
      guards: ['entriesOpen', ...row.guards],
    })),
    'An offer opens again only if the poster locks more TOK.': tasks('entryEffects', {
      'restore poster': [lockExit('poster')],
    }),
  },
  bounded: {
    'A revision adds its time to the deadline, however late that is.': tasks('effects', {
      'reopen milestone': { set: { deadline: '(+ deadline ?window)' } },
    }),
    'A judge takes as much time as it wants.': cases('disputeEffects', {
      'seat judge': { set: { rulingEnd: '?time' } },
    }),
  },
  progress: {
    'A court that is late is called again without end.': disputeRows('resolveTimedOut', (row) =>
      row.from === 'COURT' ? { ...row, to: 'COURT', effects: ['call court'], money: [] } : row,
    ),
    'There are revisions without end.': unguarded('requestRevision', 'ACTIVE', 'revisionsLeft'),
    'A delivery can be cured again and again.': unguarded('markDelivered', 'ACTIVE', 'curesDelivery'),
    'A worker claims after the cut-off.': unguarded('claim', 'POSTED', 'beforeCutoff'),
  },
}
