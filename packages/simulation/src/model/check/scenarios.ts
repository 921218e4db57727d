import { accessFee, entryDeposit, exitDeposit, type MarketParams } from '@svc/protocol'
import { minBond } from '@svc/protocol/internal/money'
import type { Call } from '../facts.ts'
import type { Outcome } from '../step.ts'
import { newWorld, type Task, type Terms, type World } from '../world.ts'

/** What a model check starts from, and how much its adversary may do. */
export interface Scenario {
  name: string
  terms: readonly Terms[]
  /** Money never binds, so balances cannot change what is possible: they are left out of the key of a state. */
  rich: boolean
  paused: boolean
}

/** The task under check. Task 1 belongs to others and must never lose its money to this one. */
export const taskId = 2

export function requireTask(world: World): Task {
  const task = world.tasks[taskId]
  if (!task) throw new Error('The task under check is gone')
  return task
}

/** As short as windows can be and still differ: a clock that ticks once a second meets every moment there is. */
const params: MarketParams = {
  vetWindow: 1,
  fundingWindow: 2,
  minReviewWindow: 1,
  maxReviewWindow: 3,
  maxClaimDeadline: 9,
  claimCutoff: 1,
  minDuration: 1,
  maxDuration: 9,
  minRevisionTime: 2,
  consentWindow: 1,
  evidenceWindow: 2,
  rulingWindow: 1,
  appealWindow: 1,
  courtWindow: 1,
}

const start = 100

/** Two milestones, one revision; a deadline may be later or earlier than what a revision gives. */
const open: Terms = {
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  amounts: [700n, 1_000n],
  durations: [4, 1],
  reviewWindow: 1,
  maxRevisions: 1,
  claimDeadline: start + 6,
  arbitrator: null,
  store: null,
}
const stored: Terms = { ...open, store: 'store' }
const permit: Terms = { ...open, claimPolicy: 'PERMIT' }
const closed: Terms = { ...open, scope: 'PRIVATE' }
const named = { arbitrator: 'arbitrator1' }

const closedStored: Terms = { ...stored, scope: 'PRIVATE' }
const wealthy: Scenario = {
  name: 'wealthy parties',
  terms: [open, permit, closed],
  rich: true,
  paused: false,
}
const penniless: Scenario = { ...wealthy, name: 'penniless parties', terms: [open, closed, closedStored], rich: false }

/** Together they reach every state the check speaks of. */
export const scenarios: readonly Scenario[] = [
  wealthy,
  { ...wealthy, name: 'a store that signs for deliveries', terms: [stored] },
  {
    ...wealthy,
    name: 'an arbitrator in the terms',
    terms: [
      { ...open, ...named },
      { ...closed, ...named },
    ],
  },
  penniless,
  { ...penniless, name: 'penniless parties, entries paused', paused: true },
]

/** Small enough to run for every mutant. */
export const small = {
  open: { ...wealthy, name: 'open', terms: [open] },
  permit: { ...wealthy, name: 'permit', terms: [permit] },
  stored: { ...wealthy, name: 'stored', terms: [closedStored] },
  poorStored: { ...penniless, terms: [closedStored] },
  penniless: { ...penniless, terms: [open] },
  paused: { ...penniless, terms: [closed], paused: true },
} as const satisfies Record<string, Scenario>

/** What payoffs are computed for: milestones of `amount` TOK, with and without a store. */
export const payoffScenario = (amount: bigint, terms: readonly Terms[] = [open, stored]): Scenario => {
  const wei = amount * 10n ** 18n
  return { ...wealthy, name: `${amount} TOK`, terms: terms.map((each) => ({ ...each, amounts: [wei, wei] })) }
}

/** Small enough to compute the payoffs of every mutant. */
export const smallPayoffScenario: Scenario = payoffScenario(8_000n, [closedStored])

/** The worlds a scenario starts with: one task each, posted or created, nothing funded yet. */
export function listStarts(scenario: Scenario, run: (world: World, call: Call) => Outcome): World[] {
  // What an entry takes, and once more the fee that a dismissal costs.
  const poor = { tok: accessFee + 2n * exitDeposit, deposit: entryDeposit }
  const party = scenario.rich ? { tok: 10n ** 30n, deposit: 10n ** 15n } : poor
  const judge = { bond: scenario.rich ? 10n ** 27n : minBond }
  const empty = newWorld(params, start, {
    // One for each dispute that two milestones can have.
    arbitrator1: judge,
    arbitrator2: judge,
    bystander: { tok: poor.tok + total(open), deposit: entryDeposit },
    poster: { ...party, tok: party.tok + total(open) },
    worker: party,
  })
  const other: Call = { operation: 'post', caller: 'bystander', args: { terms: open, amount: total(open) } }
  return scenario.terms.map((terms) => {
    const task: Call =
      terms.scope === 'OPEN'
        ? { operation: 'post', caller: 'poster', args: { terms } }
        : { operation: 'create', caller: 'stranger', args: { terms, poster: 'poster', worker: 'worker' } }
    const world = [other, task].reduce((before, call) => accepted(run(before, call)), empty)
    return scenario.paused ? accepted(run(world, { operation: 'pauseEntries', caller: 'stranger' })) : world
  })
}

const total = (terms: Terms): bigint => terms.amounts.reduce((sum, amount) => sum + amount, 0n)

function accepted(outcome: Outcome): World {
  if ('error' in outcome) throw new Error(`The scenario cannot start: ${outcome.error}`)
  return outcome.world
}
