import { taskReserve } from '@svc/protocol'
import { bps, courtShareBps, lapsePenalty } from '@svc/protocol/internal/money'
import { mutants } from '../check/mutants.ts'
import type { TaskDraft } from '../draft.ts'
import { forfeitExitDeposit, penalise, releaseEscrow, reserveUpTo, sendTok } from '../money.ts'
import { type Tables, tables } from '../tables.ts'
import { finalCourt, type World } from '../world.ts'

/** Where a search looks: names of the owner, the honest play and the setting, the milestone in whole TOK, the price of TOK. */
const usual = { play: 'all are there, the court is right', setting: 'open, standard', amount: 200_000n, price: 0.0025 }
const isAbsent = { play: 'the other party goes away before the work' }

/** A rule that pays an owner, and where the search must find it. */
export interface PlantedRule extends Readonly<typeof usual> {
  name: string
  owner: string
  tables: Tables
}

const plantRule = (name: string, owner: string, by: Tables, where: Partial<typeof usual> = {}): PlantedRule => ({
  ...usual,
  ...where,
  name,
  owner,
  tables: by,
})

/** Plants a defect of the model check that somebody could live from. */
function plantMutant(name: string, owner: string, where: Partial<typeof usual> = {}): PlantedRule {
  const mutant = mutants.find((each) => each.name === name)
  if (!mutant) throw new Error(`The model check has no mutant "${name}"`)
  return plantRule(name, owner, mutant.tables, where)
}

const changeDisputeMoves = (change: Partial<Tables['disputeMoves']>): Tables => ({
  ...tables,
  disputeMoves: { ...tables.disputeMoves, ...change },
})

const changeMoves = (change: Partial<Tables['moves']>): Tables => ({ ...tables, moves: { ...tables.moves, ...change } })

const changeForfeit = (forfeit: (draft: TaskDraft, loser: string, other: string) => void): Tables =>
  changeMoves({
    forfeit: (draft, { of }) => {
      const { poster, worker } = draft.task
      const [loser, other] = of === 'poster' ? [poster, worker ?? ''] : [worker ?? '', poster]
      forfeit(draft, loser, other)
    },
  })

/** Runs a move, and sends the TOK that it brought to one place on to a wallet. */
function redirectTok(world: World, from: string, to: string, move: () => void): void {
  const before = world.tok[from] ?? 0n
  move()
  sendTok(world, from, to, (world.tok[from] ?? 0n) - before)
}

/** Each changes one rule. */
export const plantedRules: readonly PlantedRule[] = [
  plantRule(
    'what an overturned judge loses goes to the winner',
    'poster and worker',
    changeDisputeMoves({
      'slash overturned judge': (draft, move) => {
        const { poster, worker } = draft.s.dispute
        const winner = draft.s.call.forWorker ? worker : poster
        redirectTok(draft.world, 'burnt', winner, () => tables.disputeMoves['slash overturned judge'](draft, move))
      },
    }),
    { play: 'the judge is misled' },
  ),
  plantRule(
    'an overturned judge pays nothing',
    'poster and judge',
    changeDisputeMoves({ 'slash overturned judge': () => {} }),
    { play: 'the court is right 98 %, half of the victims appeal', setting: 'private, judge, standard' },
  ),
  // Attacks T1, T3 and T5 of contracts/test/attacks/Third.t.sol, as they were possible before.
  plantRule(
    'an overturned judge does not answer for the stake that its ruling decided about',
    'worker and judge',
    changeDisputeMoves({
      'slash overturned judge': (draft, move) => {
        const { dispute } = draft.task
        const { stake } = dispute
        dispute.stake = 0n
        tables.disputeMoves['slash overturned judge'](draft, move)
        dispute.stake = stake
      },
    }),
    { play: 'the court is right 98 %, half of the victims appeal', setting: 'private, judge, standard' },
  ),
  plantRule(
    'a poster concedes case after case from one reserve',
    'poster, judge and store',
    {
      ...tables,
      lifecycle: tables.lifecycle.map((row) => ({
        ...row,
        effects: row.effects.filter((effect) => effect !== 'raise reserve'),
      })),
    },
    { play: 'the court is right 98 %', setting: 'private, judge, store, three of one wei first, standard' },
  ),
  plantRule(
    'a poster concedes cheaply in front of a decision that it has seen',
    'poster',
    {
      ...tables,
      disputes: tables.disputes.flatMap((row) => {
        if (row.operation !== 'concede') return [row]
        return row.when === 'nobody ruled, evidence is open' ? [{ ...row, when: 'nobody ruled' }] : []
      }),
    },
    { play: 'the court is right 98 %, its decision is seen', amount: 2_000_000n },
  ),
  plantRule(
    'the penalty of a missed duty goes to the other party',
    'poster',
    changeForfeit(({ world, task }, loser, other) => {
      penalise(world, task, loser, other, lapsePenalty)
      forfeitExitDeposit(world, task, loser)
    }),
    { ...isAbsent, price: 0.0001 },
  ),
  plantRule(
    'a forfeited exit deposit goes to the other party',
    'treasury and poster',
    changeForfeit(({ world, task }, loser, other) => {
      penalise(world, task, loser, 'treasury', lapsePenalty)
      redirectTok(world, 'stakingVault', other, () => forfeitExitDeposit(world, task, loser))
    }),
    isAbsent,
  ),
  plantRule(
    'a poster opens a case without a stake',
    'poster',
    changeDisputeMoves({ 'take stake': ({ world, task }) => reserveUpTo(world, task, task.poster, taskReserve) }),
    { play: 'the court is right 98 %', amount: 2_000_000n },
  ),
  plantRule(
    "the court's share has no limit",
    'worker, and a court that decides rightly',
    changeMoves({
      'court costs': (draft, move) => {
        tables.moves['court costs'](draft, move)
        const { amount, askBps, offerBps } = draft.task.dispute
        const share = (((amount * (askBps - offerBps)) / bps) * courtShareBps) / bps
        const rest = share - (draft.args.settlement?.courtShare ?? share)
        if (rest > 0n) releaseEscrow(draft.world, draft.task, finalCourt, rest)
      },
    }),
    { amount: 20_000_000n },
  ),
  plantRule(
    "the poster's judge sits in an open task",
    'poster and judge',
    {
      ...tables,
      disputeEffects: {
        ...tables.disputeEffects,
        'open case': (draft) => {
          tables.disputeEffects['open case'](draft)
          draft.task.dispute.named = draft.task.terms.arbitrator
        },
      },
    },
    { play: 'the other party goes away' },
  ),
  plantRule(
    'a worker without a receipt is not heard',
    'poster and store',
    {
      ...tables,
      lifecycle: tables.lifecycle.filter(({ operation, by }) => operation !== 'openDispute' || by !== 'worker'),
    },
    { setting: 'open, store, standard' },
  ),
  plantMutant('a refund pays what was promised, not what is held', 'poster', { setting: 'open, not funded, standard' }),
  plantMutant('silence refunds the poster', 'poster'),
  plantMutant('the poster may cancel work that was delivered', 'poster'),
  plantMutant('expiry refunds delivered work', 'poster'),
  plantMutant('a late worker is paid all the same', 'worker'),
  plantMutant('a court that says nothing decides for whoever opened the case', 'poster', {
    play: 'the court never answers',
  }),
]
