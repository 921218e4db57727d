import { exitPenalty, rulingFee } from '../../../packages/protocol/src/amounts.ts'
import type { Move, Transition } from '../../../packages/protocol/src/lifecycle.ts'
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

const isLeaving = ({ operation }: Transition): boolean => operation === 'leaveTask'
const isMissedWork = ({ operation, from }: Transition): boolean => operation === 'expire' && from === 'ACTIVE'
const isMissedFunding = ({ operation, from }: Transition): boolean => operation === 'expire' && from === 'CLAIMED'
const withoutPenalty = (moves: readonly Move[]): readonly Move[] => moves.filter(({ move }) => move !== 'penalty')
const withoutDeposit = (moves: readonly Move[]): readonly Move[] =>
  moves.filter(({ move }) => move !== 'spend exit deposit')

/** Each changes one price. */
export const payoffMutants: readonly PayoffMutant[] = [
  {
    name: 'leaving costs the whole reserve',
    finds: 'a worker that leaves is no better off than by silence',
    tables: money(isLeaving, () => [
      { move: 'penalty', of: 'worker', what: 'whole reserve' },
      { move: 'spend exit deposit', of: 'worker' },
    ]),
  },
  {
    name: 'a missed deadline costs no more than leaving',
    finds: 'a worker that leaves is no better off than one that misses a duty',
    tables: money(isMissedWork, () => [
      { move: 'penalty', of: 'worker', what: 'exit penalty' },
      { move: 'spend exit deposit', of: 'worker' },
    ]),
  },
  {
    name: 'a missed deadline leaves a fee that nobody collects',
    finds: 'at 0.0055 a worker that leaves is no better off than one that misses a duty',
    tables: money(isMissedWork, withoutDeposit),
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
      'worker gives up': ({ world, task, s }) => penalise(world, task, s.dispute.worker, 'treasury', exitPenalty),
    }),
  },
  {
    name: 'losing with junk costs the reserve and nothing else',
    finds: 'a worker that gives up a dispute is no better off than one that loses with nothing',
    tables: disputeMoves({
      'loser pays': ({ world, task, s }) => {
        const loser = task.dispute.workerBps === task.dispute.askBps ? s.dispute.poster : s.dispute.worker
        penalise(world, task, loser, 'treasury', 2n * rulingFee)
      },
    }),
  },
  {
    name: 'a ruling that gives nothing returns the exit deposit',
    finds: 'a worker that gives up a dispute is no better off than one that loses with nothing',
    tables: {
      ...tables,
      disputes: tables.disputes.map((row) => ({
        ...row,
        money: row.money.map((move) =>
          move.move === 'settle task' && move.forfeits === 'whoever gets nothing' ? { ...move, forfeits: null } : move,
        ),
      })),
    },
  },
  {
    name: 'dismissing late costs as little as in the vet window',
    finds: 'a poster that dismisses in the vet window is no better off than one that dismisses later',
    tables: money(({ operation }) => operation === 'dismiss', withoutPenalty),
  },
  {
    name: 'an unkept offer costs only the exit deposit',
    finds: 'a poster that dismisses later is no better off than one that misses a duty',
    tables: money(isMissedFunding, withoutPenalty),
  },
  {
    name: 'an unkept offer leaves a fee that nobody collects',
    finds: 'at 0.0055 a poster that dismisses later is no better off than one that misses a duty',
    tables: money(isMissedFunding, withoutDeposit),
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
