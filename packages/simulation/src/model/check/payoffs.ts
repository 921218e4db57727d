import { exitDeposit } from '@svc/protocol'
import { listMovements } from '../money.ts'
import type { Tables } from '../tables.ts'
import { heldOf, type World } from '../world.ts'
import { type Explored, explore } from './explore.ts'
import { type Actor, type Edge, sum } from './property.ts'
import { requireTask, type Scenario } from './scenarios.ts'

/**
 * Property 15: no honest exit is dominated, at any price of TOK.
 *
 * A payoff is what a step gives or takes of a wallet that never comes back: its deposit, its TOK, what the task still
 * holds for it. Nothing is ever owed, so there are no debts to count. Milestones count, and so does a poster's stake; but
 * where exits with different shares of a milestone are compared, the milestone is left out.
 *
 * Silence is the worst that everybody else can lawfully make of it: the least payoff over all runs of the tables in which
 * the wallet does nothing any more, with the other party, strangers, judges, the final court and time against it.
 */

/** The prices of TOK in USD. The demo feed has 0.0025; the others are a hundredth and a hundred times of it, and between. */
export const prices = [0.000025, 0.0001, 0.0025, 0.0056, 0.01, 0.25, 1] as const

type Party = 'poster' | 'worker'
const parties = ['poster', 'worker'] as const

/** An amount of money in two currencies, as USD and whole TOK. */
interface Payoff {
  usd: number
  tok: number
}

/** How a party gets out, from the cheapest way to the dearest. Each must cost less than the next. */
const ladders = {
  worker: ['leaves', 'misses a duty', 'gives up a dispute', 'loses'],
  poster: ['dismisses', 'misses a duty', 'loses'],
} as const

/** In a dispute with the same two shares, taking the other's costs less than losing at it. */
const settling = { worker: ['takes the offer', 'loses'], poster: ['pays what is asked', 'loses'] } as const

type Exit = (typeof ladders)[Party][number] | (typeof settling)[Party][number]

interface Step {
  from: number
  to: number
  actor: Actor
  payoffs: Record<Party, Payoff>
}

/** The range of an exit's payoffs, by price. */
interface Range {
  least: number[]
  most: number[]
}

export interface PayoffReport {
  states: number
  edges: number
  /** How many exits there are of each kind, and what they pay at each price. */
  exits: Map<string, Range & { count: number }>
  violations: string[]
}

const evaluatePayoff = ({ usd, tok }: Payoff, price: number): number => usd + tok * price
/** Less than this is rounding. */
const cent = 0.001

/** What belongs to a party. */
function readWealth(world: World, party: Party): { usd: bigint; tok: bigint } {
  const task = requireTask(world)
  const escrowed = party === 'poster' ? heldOf(task) + task.dispute.stake : 0n
  return {
    usd: world.deposits[party] ?? 0n,
    tok: (world.tok[party] ?? 0n) + (task.exitDeposits[party] ?? 0n) + escrowed,
  }
}

function computePayoff({ before, after }: Edge, party: Party): Payoff {
  const [was, is] = [readWealth(before, party), readWealth(after, party)]
  return { usd: Number(is.usd - was.usd) / 1e6, tok: Number(is.tok - was.tok) / 1e18 }
}

/** What a step paid or cost a party besides what the escrow paid out. */
function computeCost({ before, after }: Edge, party: Party, { usd, tok }: Payoff): Payoff {
  const { state, underNotice } = requireTask(before)
  if (state !== 'DISPUTED') return { usd, tok }
  const released = listMovements(after).filter(({ kind }) => kind === 'released')
  const own = released.filter(({ wallet }) => party === 'poster' || wallet === party)
  const amount = Number(sum(own.map(({ amount }) => amount))) / 1e18
  if (party === 'worker') return { usd, tok: tok - amount }
  // A poster that gave notice has paid its exit deposit then.
  return { usd, tok: tok + amount - (underNotice ? Number(exitDeposit) / 1e18 : 0) }
}

/** Names the exit that a step is, for the party that takes it. */
function nameExit({ before: was, after: is, actor, call }: Edge): { party: Party; exit: Exit } | null {
  const [before, after] = [requireTask(was), requireTask(is)]
  if (call.operation === 'leaveTask') return { party: 'worker', exit: 'leaves' }
  if (call.operation === 'dismiss') return { party: 'poster', exit: 'dismisses' }
  if (call.operation === 'expire' && before.state === 'ACTIVE') {
    const owes = !before.underNotice || before.reviewEnd !== 0
    return owes ? { party: 'worker', exit: 'misses a duty' } : null
  }
  if (call.operation === 'expire' && before.state === 'CLAIMED' && !before.fundedAtClaim) {
    return { party: 'poster', exit: 'misses a duty' }
  }
  if (before.state !== 'DISPUTED' || after.state === 'DISPUTED') return null
  const { ending, workerBps, askBps } = after.dispute
  if (ending === 'RULED' || ending === 'DECIDED') {
    return { party: workerBps === askBps ? 'poster' : 'worker', exit: 'loses' }
  }
  // When nothing more can be said, giving in is losing: whoever learns of a ruling first must not gain by it.
  if (call.operation === 'release' && was.now > before.dispute.evidenceEnd) return null
  if (actor === 'poster' && (call.operation === 'submitEvidence' || askBps === 10_000n)) {
    return { party: 'poster', exit: 'pays what is asked' }
  }
  if (actor !== 'worker') return null
  return { party: 'worker', exit: workerBps === 0n ? 'gives up a dispute' : 'takes the offer' }
}

/** The two shares that a dispute was about, which milestone, and whether the poster's exit deposit is spent: what exits can be compared. */
function describeCase(world: World): string {
  const { current, dispute, underNotice } = requireTask(world)
  const { openedByPoster, offerBps, askBps } = dispute
  const opener = openedByPoster ? 'poster' : 'worker'
  return `milestone ${current}${underNotice ? ' under notice' : ''}, ${opener} opened, ${offerBps} against ${askBps}`
}

/** Computes the payoff of every exit in every state that a scenario reaches, and lists what breaks property 15. */
export function computePayoffs(tables: Tables, scenario: Scenario): PayoffReport {
  const found: Explored = { terminal: [], cameFrom: [] }
  const engaged: Record<Party, boolean[]> = { poster: [], worker: [] }
  const steps: Step[] = []
  const exits: PayoffReport['exits'] = new Map()
  const byCase: Map<string, Range> = new Map()
  /** Exits that a party chooses instead of saying nothing. */
  const choices: { state: number; party: Party; exit: Exit; payoff: Payoff }[] = []

  explore(tables, scenario, found, {
    state: (world, state) => {
      const isLive = !found.terminal[state]
      engaged.poster[state] = isLive
      engaged.worker[state] = isLive && requireTask(world).worker !== null
    },
    edge: (edge) => {
      const payoffs = { poster: computePayoff(edge, 'poster'), worker: computePayoff(edge, 'worker') }
      steps.push({ from: edge.from, to: edge.to, actor: edge.actor, payoffs })
      const named = nameExit(edge)
      if (!named) return
      const { party, exit } = named
      widen(exits, `${party} ${exit}`, computeCost(edge, party, payoffs[party]))
      if (requireTask(edge.before).state === 'DISPUTED') {
        widen(byCase, `${party} ${exit}, ${describeCase(edge.before)}`, payoffs[party])
      }
      const { state, fundedAtClaim } = requireTask(edge.before)
      // Only then has the poster a duty that it may miss.
      const isSpared = exit === 'dismisses' && state === 'CLAIMED' && !fundedAtClaim
      if (exit === 'leaves' || isSpared) choices.push({ state: edge.from, party, exit, payoff: payoffs[party] })
    },
  })

  const violations = new Set<string>()
  prices.forEach((price, i) => {
    const least = (range: Map<string, Range>, key: string) => range.get(key)?.least[i] ?? Number.POSITIVE_INFINITY
    const most = (range: Map<string, Range>, key: string) => range.get(key)?.most[i] ?? Number.NEGATIVE_INFINITY
    for (const party of parties) {
      const silence = computeSilence(steps, found.terminal.length, engaged[party], party, price)
      for (const { state, exit, payoff } of choices.filter((choice) => choice.party === party)) {
        if (evaluatePayoff(payoff, price) > (silence[state] ?? 0) + cent) continue
        violations.add(`at ${price} a ${party} that ${exit} is no better off than by silence`)
      }
      ladders[party].forEach((exit, rung) => {
        const next = ladders[party][rung + 1]
        if (next === undefined || least(exits, `${party} ${exit}`) > most(exits, `${party} ${next}`) + cent) return
        violations.add(`at ${price} a ${party} that ${exit} is no better off than one that ${next}`)
      })
      const [settles, loses] = settling[party]
      for (const key of byCase.keys()) {
        if (!key.startsWith(`${party} ${settles}, `)) continue
        const lost = key.replace(settles, loses)
        if (least(byCase, key) > most(byCase, lost) + cent) continue
        violations.add(`at ${price} a ${party} that ${settles} is no better off than one that ${loses}`)
      }
    }
  })
  return { states: found.terminal.length, edges: steps.length, exits, violations: [...violations] }
}

/** Adds one payoff to the range of its kind. */
function widen<R extends Range & { count?: number }>(ranges: Map<string, R>, key: string, payoff: Payoff): void {
  const values = prices.map((price) => evaluatePayoff(payoff, price))
  const known = ranges.get(key)
  ranges.set(key, {
    count: (known?.count ?? 0) + 1,
    least: values.map((value, i) => Math.min(value, known?.least[i] ?? value)),
    most: values.map((value, i) => Math.max(value, known?.most[i] ?? value)),
  } as R)
}

/**
 * What silence pays in each state: the least sum of payoffs along steps that others take, until the party is let go. Steps
 * that lead back to a state cost a silent party nothing, so the sums settle.
 */
function computeSilence(
  steps: readonly Step[],
  states: number,
  engaged: readonly boolean[],
  party: Party,
  price: number,
): Float64Array {
  const worst = new Float64Array(states).map((_, state) => (engaged[state] ? Number.POSITIVE_INFINITY : 0))
  const byOthers = steps.filter(({ actor, from }) => actor !== party && actor !== 'both' && engaged[from]).toReversed()
  const payoffs = byOthers.map(({ payoffs: { [party]: payoff } }) => evaluatePayoff(payoff, price))
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    byOthers.forEach(({ from, to }, i) => {
      const value = (payoffs[i] ?? 0) + (worst[to] ?? 0)
      if (value >= (worst[from] ?? 0) - cent / 10) return
      worst[from] = value
      isSettled = false
    })
  }
  return worst
}
