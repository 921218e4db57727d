import { accessFee, entryDeposit, minBond } from '../../../packages/protocol/src/amounts.ts'
import type { MarketParams } from '../../../packages/protocol/src/params.ts'
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
  votes: readonly bigint[]
  /** Sizes of the panels that may be drawn, by tier; a draw may find fewer than there are seats. */
  panels: readonly (readonly number[])[]
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
  maxReviewWindow: 9,
  maxClaimDeadline: 9,
  claimCutoff: 1,
  minDuration: 1,
  maxDuration: 9,
  baseClaims: 3,
  consentWindow: 1,
  evidenceWindow: 2,
  rulingWindow: 1,
  appealWindow: 1,
}

const start = 100

/** Two milestones, one revision; a deadline may be later or earlier than what a revision gives. */
const open: Terms = {
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  amounts: [7n, 10n],
  durations: [3, 1],
  reviewWindow: 2,
  maxRevisions: 1,
  claimDeadline: start + 6,
  arbitrator: null,
}
const permit: Terms = { ...open, claimPolicy: 'PERMIT' }
const closed: Terms = { ...open, scope: 'PRIVATE' }
const named: Terms = { ...closed, arbitrator: 'arbitrator0' }

const anyVote: Scenario = {
  name: 'panels of one',
  terms: [open, permit, closed],
  rich: true,
  paused: false,
  votes: [0n, 5_000n, 10_000n],
  panels: [[1], [1], [1]],
}
const penniless: Scenario = {
  ...anyVote,
  name: 'penniless parties',
  terms: [open, closed],
  rich: false,
  votes: [0n, 10_000n],
}

/** Together they reach every state the check speaks of. */
export const scenarios: readonly Scenario[] = [
  anyVote,
  { ...anyVote, name: 'full panels', terms: [closed], votes: [0n, 10_000n], panels: [[1], [3], [5]] },
  { ...anyVote, name: 'a named arbitrator', terms: [named], votes: [0n, 10_000n] },
  penniless,
  { ...penniless, name: 'penniless parties, entries paused', paused: true },
]

/** Small enough to run for every mutant. */
export const small = {
  open: { ...anyVote, name: 'open', terms: [open], votes: [0n, 10_000n] },
  penniless: { ...penniless, terms: [open] },
  paused: { ...penniless, terms: [closed], paused: true },
} as const satisfies Record<string, Scenario>

/** The worlds a scenario starts with: one task each, posted or created, nothing funded yet. */
export function listStarts(scenario: Scenario, run: (world: World, call: Call) => Outcome): World[] {
  const { rich, panels } = scenario
  const seats = panels.reduce((sum, sizes) => sum + Math.max(...sizes), 0)
  const party = rich ? { tok: 10n ** 30n, deposit: 10n ** 15n } : { tok: 2n * accessFee, deposit: entryDeposit }
  // Enough for every panel and its replacement.
  const arbitrators = Array.from({ length: 2 * seats }, (_, i) => [`arbitrator${i}`, { bond: minBond }])
  const empty = newWorld(params, start, {
    ...Object.fromEntries(arbitrators),
    bystander: { tok: 2n * accessFee, deposit: entryDeposit },
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
