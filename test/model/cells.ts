import { disputes } from '../../packages/protocol/src/disputes.ts'
import { lifecycle } from '../../packages/protocol/src/lifecycle.ts'
import { marketParams } from '../../packages/protocol/src/params.ts'
import type { DisputePhase, TaskState } from '../../packages/protocol/src/states.ts'
import type { Args, Call } from './facts.ts'
import { step } from './step.ts'
import { tables } from './tables.ts'
import { newWorld, type Terms, type World } from './world.ts'

const roles = ['poster', 'worker', 'stranger', 'arbitrator'] as const
type Role = (typeof roles)[number]

/** One call: the operation, the caller's role and the time in seconds after the start. */
interface Step {
  operation: string
  role: Role
  at: number
}

/** The result of one call in one situation: an error, or the state of task and dispute afterwards. */
interface Cell {
  operation: string
  role: Role
  error?: string
  state: TaskState
  phase: DisputePhase
}

/** A moment in the life of task 1, how to get there, and every cell of operation x role at that moment. */
export interface Situation {
  name: string
  steps: readonly Step[]
  /** When it is, in seconds after the start. */
  end: number
  cells: readonly Cell[]
}

const hour = 3600
const day = 24 * hour
const { claimCutoff, vetWindow, fundingWindow, consentWindow, evidenceWindow, rulingWindow, appealWindow } =
  marketParams.standard
const claimDeadline = 7 * day
const duration = 2 * day
const reviewWindow = 72 * hour

const terms = (world: World, scope: Terms['scope']): Terms => ({
  scope,
  claimPolicy: 'ANYONE',
  amounts: [600n * 10n ** 18n, 400n * 10n ** 18n],
  durations: [duration, duration],
  reviewWindow,
  maxRevisions: 1,
  claimDeadline: world.now + claimDeadline,
  arbitrator: null,
})

const by =
  (role: Role) =>
  (operation: string, at = 0): Step => ({ operation, role, at })
const poster = by('poster')
const worker = by('worker')
const stranger = by('stranger')
const arbitrator = by('arbitrator')

const claimed = [poster('post'), worker('claim')]
const funded = [...claimed, poster('fund')]
const working = [...funded, poster('activate')]
const inReview = [...working, worker('markDelivered')]
const lastInReview = [...inReview, poster('release'), worker('markDelivered')]
const disputed = [...inReview, poster('openDispute')]
const seated = [...disputed, poster('propose'), worker('propose')]
const heard = [...seated, worker('submitEvidence')]
const ruled = [...heard, arbitrator('resolve')]
const silentAt = evidenceWindow + rulingWindow + 1
const missedTwice = [
  ...claimed,
  stranger('expire', fundingWindow + 1),
  worker('claim', fundingWindow + 1),
  stranger('expire', 2 * (fundingWindow + 1)),
]
const privateReady = [stranger('create'), poster('fund')]

/** The situations: each phase of a task and of a dispute on both sides of its limits. */
const situations: Record<string, { steps: readonly Step[]; end: number }> = {
  NONE: { steps: [], end: 0 },
  OPEN_FOR_CLAIM: { steps: [poster('post')], end: claimDeadline - claimCutoff },
  CLAIM_CLOSED: { steps: [poster('post')], end: claimDeadline - claimCutoff + 1 },
  MISSED_FUNDS_ONCE: { steps: missedTwice.slice(0, 3), end: fundingWindow + 1 },
  MISSED_FUNDS_TWICE: { steps: missedTwice, end: 2 * (fundingWindow + 1) },
  FUNDED_AFTER_ALL: {
    steps: [...missedTwice, poster('fund', 2 * (fundingWindow + 1))],
    end: claimDeadline - claimCutoff,
  },
  AWAITING_FUNDS: { steps: claimed, end: fundingWindow },
  FUNDS_LATE: { steps: claimed, end: fundingWindow + 1 },
  VETTING: { steps: funded, end: vetWindow },
  READY_TO_START: { steps: funded, end: fundingWindow + vetWindow },
  START_LATE: { steps: funded, end: fundingWindow + vetWindow + 1 },
  PRIVATE_AWAITING_FUNDS: { steps: [stranger('create')], end: fundingWindow },
  PRIVATE_FUNDS_LATE: { steps: [stranger('create')], end: fundingWindow + 1 },
  PRIVATE_READY: { steps: privateReady, end: vetWindow + 1 },
  PRIVATE_START_LATE: { steps: privateReady, end: fundingWindow + vetWindow + 1 },
  WORKING: { steps: working, end: duration },
  OVERDUE: { steps: working, end: duration + 1 },
  IN_REVIEW: { steps: inReview, end: reviewWindow },
  REVIEW_LAPSED: { steps: inReview, end: reviewWindow + 1 },
  REVISING: { steps: [...inReview, poster('requestRevision')], end: hour },
  IN_LAST_REVISION: { steps: [...inReview, poster('requestRevision'), worker('markDelivered')], end: hour },
  LAST_IN_REVIEW: { steps: lastInReview, end: reviewWindow },
  LAST_REVIEW_LAPSED: { steps: lastInReview, end: reviewWindow + 1 },
  DISPUTE_CONSENT: { steps: disputed, end: consentWindow },
  DISPUTE_SEATABLE: { steps: disputed, end: consentWindow + 1 },
  DISPUTE_DRAWING: { steps: [...disputed, stranger('seat', consentWindow + 1)], end: consentWindow + 1 },
  DISPUTE_UNSEATED: { steps: disputed, end: consentWindow + evidenceWindow + 1 },
  DISPUTE_EVIDENCE: { steps: seated, end: evidenceWindow },
  DISPUTE_HEARD: { steps: heard, end: hour },
  DISPUTE_RULING: { steps: seated, end: evidenceWindow + 1 },
  DISPUTE_SILENT: { steps: seated, end: silentAt },
  DISPUTE_REPLACED: { steps: [...seated, stranger('resolveTimedOut', silentAt)], end: silentAt },
  DISPUTE_RULED: { steps: ruled, end: appealWindow },
  DISPUTE_FINAL: { steps: ruled, end: appealWindow + 1 },
  DISPUTE_APPEALED: { steps: [...ruled, worker('escalate')], end: hour },
  LAST_DISPUTED: { steps: [...lastInReview, worker('openDispute')], end: hour },
  COMPLETED: { steps: [...working, poster('complete')], end: hour },
  CANCELLED: { steps: [poster('post'), poster('cancel')], end: hour },
  EXPIRED: { steps: [poster('post'), stranger('expire', claimDeadline)], end: claimDeadline },
  RESOLVED: { steps: [...disputed, stranger('mutualCancel')], end: hour },
}

const ofContracts = new Set(['open', 'concede', 'abandon'])
const entries = new Set(['post', 'create'])
const operations = [...new Set([...lifecycle, ...disputes].map(({ operation }) => operation))].filter(
  (operation) => !ofContracts.has(operation),
)

/** Every cell, as the tables have it. */
export function cells(): Situation[] {
  return Object.entries(situations).map(([name, { steps, end }]) => {
    const world = { ...steps.reduce(perform, start()), now: start().now + end }
    const drawing = steps.at(-1)?.operation === 'seat'
    const here = operations.filter((operation) => name === 'NONE' || !entries.has(operation))
    const found = here.flatMap((operation) => roles.map((role) => cell(world, operation, role, drawing)))
    return { name, steps, end, cells: found }
  })
}

function start(): World {
  const funds = { tok: 1_000_000n * 10n ** 18n, usdc: 900_000_000n, deposit: 100_000_000n }
  const world = newWorld(marketParams.standard, 1_800_000_000, Object.fromEntries(roles.map((role) => [role, funds])))
  return done(world, { operation: 'register', caller: 'arbitrator', args: { amount: 20_000n * 10n ** 18n } })
}

function perform(world: World, { operation, role, at }: Step): World {
  const later = { ...world, now: start().now + at }
  return done(later, buildCall(later, operation, role, false))
}

function cell(world: World, operation: string, role: Role, drawing: boolean): Cell {
  const outcome = step(tables)(world, buildCall(world, operation, role, drawing))
  if ('error' in outcome) return { operation, role, error: outcome.error, state: 'NONE', phase: 'NONE' }
  const task = outcome.world.tasks[1]
  return { operation, role, state: task?.state ?? 'NONE', phase: task?.dispute.phase ?? 'NONE' }
}

/** Builds the call with sensible arguments; contracts/test/cells makes the same. */
function buildCall(world: World, operation: string, role: Role, drawing: boolean): Call {
  const task = world.tasks[1]
  const args: Record<string, Args> = {
    post: { terms: terms(world, 'OPEN') },
    create: { terms: terms(world, 'PRIVATE'), poster: 'poster', worker: 'worker' },
    fund: { amount: task ? task.total - task.funded : 0n },
    mutualCancel: { workerBps: 5_000n },
    settleDispute: { workerBps: 5_000n },
    propose: { arbitrator: 'arbitrator' },
    seat: { panel: drawing ? ['arbitrator'] : null },
    resolve: { workerBps: 6_000n },
  }
  const call = { operation, caller: role, args: args[operation] ?? {} }
  return entries.has(operation) ? call : { ...call, taskId: 1 }
}

function done(world: World, call: Call): World {
  const outcome = step(tables)(world, call)
  if ('error' in outcome) throw new Error(`${call.operation} by ${call.caller}: ${outcome.error}`)
  return outcome.world
}
