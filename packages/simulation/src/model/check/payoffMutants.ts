import { lapsePenalty, rulingFee } from '@svc/protocol/internal/money'
import type { Move } from '@svc/protocol/internal/tasks'
import type { Transition } from '@svc/protocol/lifecycle'
import { payOut, penalise } from '../money.ts'
import { type Tables, tables } from '../tables.ts'

/** A price list under which an honest exit is dominated, and what the check must say about it. */
interface PayoffMutant {
  name: string
  finds: string
  tables: Tables
}

function money(select: (row: Transition) => boolean, change: (moves: readonly Move[]) => readonly Move[]): Tables {
  const lifecycle = tables.lifecycle.map((row) => (select(row) ? { ...row, money: change(row.money) } : row))
  return { ...tables, lifecycle }
}

const disputeMoves = (change: Partial<Tables['disputeMoves']>): Tables => ({
  ...tables,
  disputeMoves: { ...tables.disputeMoves, ...change },
})

const isMissedWork = ({ operation, from }: Transition): boolean => operation === 'expire' && from === 'ACTIVE'
const isMissedFunding = ({ operation, from }: Transition): boolean => operation === 'expire' && from === 'CLAIMED'
const withoutPenalty = (of: 'poster' | 'worker') => (): readonly Move[] => [{ move: 'spend exit deposit', of }]

/** A missed duty costs the reserve, and no exit deposit. */
const forfeitWithoutDeposit: Tables = {
  ...tables,
  moves: {
    ...tables.moves,
    forfeit: ({ world, task }, { of }) => {
      penalise(world, task, of === 'poster' ? task.poster : (task.worker ?? ''), 'treasury', lapsePenalty)
    },
  },
}

/** Each changes one price. */
export const payoffMutants: readonly PayoffMutant[] = [
  {
    name: 'leaving costs as much as a missed deadline',
    finds: 'a worker that leaves is no better off than by silence',
    tables: money(
      ({ operation }) => operation === 'leaveTask',
      () => [{ move: 'forfeit', of: 'worker' }],
    ),
  },
  {
    name: 'a missed deadline costs no more than leaving',
    finds: 'a worker that leaves is no better off than one that misses a duty',
    tables: money(isMissedWork, withoutPenalty('worker')),
  },
  {
    name: 'a missed deadline leaves an exit deposit that nobody collects',
    finds: 'at 0.0056 a worker that leaves is no better off than one that misses a duty',
    tables: forfeitWithoutDeposit,
  },
  {
    name: 'giving up a dispute is free',
    finds: 'a worker that misses a duty is no better off than one that gives up a dispute',
    tables: disputeMoves({ 'worker gives up': () => {} }),
  },
  {
    name: 'giving up a dispute costs no more than silence',
    finds: 'a worker that misses a duty is no better off than one that gives up a dispute',
    tables: disputeMoves({
      'worker gives up': ({ world, task, s }) => penalise(world, task, s.dispute.worker, 'treasury', lapsePenalty),
    }),
  },
  {
    name: 'losing costs no more than giving up',
    finds: 'a worker that gives up a dispute is no better off than one that loses',
    tables: disputeMoves({
      'loser pays': ({ world, task, s }) => {
        const loser = task.dispute.workerBps === task.dispute.askBps ? s.dispute.poster : s.dispute.worker
        penalise(world, task, loser, 'treasury', rulingFee)
      },
    }),
  },
  {
    name: 'whoever loses at an offer keeps its exit deposit',
    finds: 'at 0.01 a worker that gives up a dispute is no better off than one that loses',
    tables: {
      ...tables,
      moves: {
        ...tables.moves,
        'court costs': (draft, move) => {
          const { args } = draft
          const { settlement, workerBps = 0n } = args
          if (!settlement || workerBps === 0n) return tables.moves['court costs'](draft, move)
          tables.moves['court costs']({ ...draft, args: { ...args, settlement: { ...settlement, loser: null } } }, move)
        },
      },
    },
  },
  {
    name: 'an unkept offer costs no more than a dismissal',
    finds: 'a poster that dismisses is no better off than one that misses a duty',
    tables: money(isMissedFunding, withoutPenalty('poster')),
  },
  {
    name: 'an unkept offer leaves an exit deposit that nobody collects',
    finds: 'at 0.0056 a poster that dismisses is no better off than one that misses a duty',
    tables: forfeitWithoutDeposit,
  },
  {
    name: 'conceding costs the whole stake',
    finds: 'a poster that pays what is asked is no better off than one that loses',
    tables: disputeMoves({
      'return stake': (draft, move) => {
        const { world, task, s } = draft
        if (move.less !== 'settlement') return tables.disputeMoves['return stake'](draft, move)
        payOut(world, s.dispute.worker, task.dispute.stake)
        task.dispute.stake = 0n
      },
    }),
  },
]
