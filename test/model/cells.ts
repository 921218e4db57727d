import { keccak256, toHex } from 'viem'
import { bps } from '../../packages/protocol/src/amounts.ts'
import { disputes } from '../../packages/protocol/src/disputes.ts'
import {
  buildDisputeRules,
  buildTaskRules,
  type RuleSet,
  type TransitionRow,
} from '../../packages/protocol/src/evaluate.ts'
import { lifecycle } from '../../packages/protocol/src/lifecycle.ts'
import { marketParams } from '../../packages/protocol/src/params.ts'
import type { DisputePhase, TaskState } from '../../packages/protocol/src/states.ts'
import { copyTask } from './draft.ts'
import { listDrawWeights, selectJudge } from './draw.ts'
import { type Args, type Call, disputeSituation, situation } from './facts.ts'
import { addTo, charge, penalise, readFreeDeposit, sendTok } from './money.ts'
import { step } from './step.ts'
import { tables } from './tables.ts'
import { finalCourt, newTask, newWorld, type Task, type Terms, type World } from './world.ts'

export const cellRoles = ['poster', 'worker', 'stranger', 'arbitrator', finalCourt] as const
export type CellRole = (typeof cellRoles)[number]

/** What happens to somebody's money or to the market right before the call. contracts/test/cells does the same. */
const setups = {
  none: () => {},
  paused: (world) => {
    world.entriesPaused = true
  },
  /** A part of the reserve and all that was free are gone. */
  'poster drained': (world) => {
    drainReserve(world)
    charge(world, 'poster', 'treasury', readFreeDeposit(world, 'poster'))
  },
  /** A part of the reserve is gone, and other tasks reserve all that was free. */
  'poster spread': (world) => {
    drainReserve(world)
    addTo(world, 'reserved', 'poster', readFreeDeposit(world, 'poster'))
  },
  'worker drained': (world) => charge(world, 'worker', 'treasury', readFreeDeposit(world, 'worker')),
  'poster without TOK': (world) => sendTok(world, 'poster', 'treasury', world.tok.poster ?? 0n),
  'worker without TOK': (world) => sendTok(world, 'worker', 'treasury', world.tok.worker ?? 0n),
  unbonding: (world) => Object.assign(world, done(world, { operation: 'requestUnbond', caller: 'arbitrator' })),
} as const satisfies Record<string, (world: World) => void>

export const setupNames = Object.keys(setups) as readonly (keyof typeof setups)[]
type Setup = keyof typeof setups

function drainReserve(world: World): void {
  const [, task] = world.tasks
  if (!task) return
  const own = copyTask(task)
  world.tasks = [null, own]
  penalise(world, own, 'poster', 'treasury', 3_000_000n)
}

/** The arguments of a call, as far as they matter to its operation. */
export interface CellArgs {
  /** What is funded, or the worker's share in basis points. */
  amount: bigint
  /** Whom `propose` names; the worker of `create`. */
  other: CellRole
  /** The poster of `create`. */
  poster: CellRole
  otherMilestone: boolean
  noHash: boolean
  receipt: 'none' | 'valid' | 'short' | 'forged'
  unsigned: boolean
  wrongDigest: boolean
  permitted: boolean
  forWorker: boolean
  unfounded: boolean
  /** Terms with a store, an arbitrator, a claim policy of PERMIT. */
  stored: boolean
  named: boolean
  permitOnly: boolean
  /** `seat`: the block of the draw is not mined yet. */
  pending: boolean
}

const plain: CellArgs = {
  amount: 0n,
  other: 'worker',
  poster: 'poster',
  otherMilestone: false,
  noHash: false,
  receipt: 'none',
  unsigned: false,
  wrongDigest: false,
  permitted: false,
  forWorker: false,
  unfounded: false,
  stored: false,
  named: false,
  permitOnly: false,
  pending: false,
}

/** One call: the operation, the caller's role, the arguments and the time in seconds after the start. */
interface CellStep {
  operation: string
  role: CellRole
  at: number
  args: CellArgs
}

/** The result of one call in one situation: an error, or the state of task and dispute afterwards. */
interface Cell {
  operation: string
  role: CellRole
  args: CellArgs
  setup: Setup
  error?: string
  state: TaskState
  phase: DisputePhase
}

/** A moment in the life of task 1, how to get there, and every cell at that moment. */
export interface Situation {
  name: string
  steps: readonly CellStep[]
  /** When it is, in seconds after the start. */
  end: number
  cells: readonly Cell[]
}

const hour = 3600
const day = 24 * hour
const params = marketParams.standard
const { claimCutoff, vetWindow, fundingWindow, consentWindow, evidenceWindow, rulingWindow } = params
const { appealWindow, courtWindow } = params
const claimDeadline = 7 * day
const duration = 2 * day
const reviewWindow = 72 * hour
const total = 1_000n * 10n ** 18n
const startTime = 1_800_000_000 + 7 * day

const buildTerms = (world: World, scope: Terms['scope'], { stored, named, permitOnly }: CellArgs): Terms => ({
  scope,
  claimPolicy: permitOnly ? 'PERMIT' : 'ANYONE',
  amounts: [600n * 10n ** 18n, 400n * 10n ** 18n],
  durations: [duration, duration],
  reviewWindow,
  maxRevisions: 1,
  claimDeadline: world.now + claimDeadline,
  arbitrator: named ? 'arbitrator' : null,
  store: stored ? 'stranger' : null,
})

const by =
  (role: CellRole) =>
  (operation: string, args: Partial<CellArgs> = {}, at = 0): CellStep => ({
    operation,
    role,
    at,
    args: { ...plain, ...args },
  })
const poster = by('poster')
const worker = by('worker')
const stranger = by('stranger')
const arbitrator = by('arbitrator')
const court = by(finalCourt)
/** The last step happens later. */
const later = (steps: readonly CellStep[], at: number): CellStep[] =>
  steps.map((each, i) => (i === steps.length - 1 ? { ...each, at } : each))

const fund = poster('fund', { amount: total })
const posted = (args: Partial<CellArgs> = {}) => [poster('post', args)]
const claimed = [...posted(), worker('claim')]
const funded = [...claimed, fund]
const fundedFirst = [poster('post', { amount: total }), worker('claim')]
const working = [...funded, poster('activate')]
const inReview = [...working, worker('markDelivered')]
const lastInReview = [...inReview, poster('release'), worker('markDelivered')]
const storedWorking = [...posted({ stored: true }), worker('claim'), fund, poster('activate')]
const storedInReview = [...storedWorking, worker('markDelivered')]
const disputed = [...inReview, poster('openDispute')]
const namedDisputed = [
  ...posted({ named: true }),
  worker('claim'),
  fund,
  poster('activate'),
  worker('markDelivered'),
  poster('openDispute'),
]
const proposed = [...disputed, poster('propose', { other: 'arbitrator' }), worker('propose', { other: 'arbitrator' })]
const seated = [...proposed, arbitrator('propose', { other: 'arbitrator' })]
const heard = [...seated, worker('submitEvidence', { amount: bps })]
const ruledForPoster = [...heard, arbitrator('resolve')]
const ruledForWorker = [...heard, arbitrator('resolve', { forWorker: true })]
const offer = poster('submitEvidence', { amount: 3_000n })
const drawing = [...disputed, stranger('seat', {}, consentWindow + 1)]
const young = [arbitrator('register'), ...drawing]
const emptyBench = [arbitrator('requestUnbond'), ...disputed]
const silentAt = evidenceWindow + rulingWindow + 1
const unseated = [...disputed, stranger('resolveTimedOut', {}, evidenceWindow + 1)]
const earlyCourt = [...emptyBench, stranger('seat', {}, consentWindow + 1)]
const privateReady = [stranger('create'), fund]

/** The situations: each phase of a task and of a dispute on both sides of its limits. */
const situations: Record<string, { steps: readonly CellStep[]; end: number }> = {
  NONE: { steps: [], end: 0 },
  OPEN_FOR_CLAIM: { steps: posted(), end: claimDeadline - claimCutoff },
  CLAIM_CLOSED: { steps: posted(), end: claimDeadline - claimCutoff + 1 },
  OPEN_BY_PERMIT: { steps: posted({ permitOnly: true }), end: hour },
  VETTING: { steps: funded, end: vetWindow },
  AWAITING_FUNDS: { steps: claimed, end: fundingWindow },
  FUNDS_LATE: { steps: claimed, end: fundingWindow + 1 },
  READY_TO_START: { steps: funded, end: fundingWindow },
  START_LATE: { steps: funded, end: fundingWindow + 1 },
  FUNDED_READY: { steps: fundedFirst, end: fundingWindow },
  FUNDED_START_LATE: { steps: fundedFirst, end: fundingWindow + 1 },
  PRIVATE_VETTING: { steps: [stranger('create')], end: vetWindow },
  PRIVATE_AWAITING_FUNDS: { steps: [stranger('create')], end: fundingWindow },
  PRIVATE_FUNDS_LATE: { steps: [stranger('create')], end: fundingWindow + 1 },
  PRIVATE_READY: { steps: privateReady, end: vetWindow + 1 },
  PRIVATE_START_LATE: { steps: privateReady, end: fundingWindow + 1 },
  WORKING: { steps: working, end: duration },
  OVERDUE: { steps: working, end: duration + 1 },
  IN_REVIEW: { steps: inReview, end: reviewWindow },
  REVIEW_LAPSED: { steps: inReview, end: reviewWindow + 1 },
  REVISING: { steps: [...inReview, poster('requestRevision')], end: hour },
  IN_LAST_REVISION: { steps: [...inReview, poster('requestRevision'), worker('markDelivered')], end: hour },
  LAST_WORKING: { steps: [...inReview, poster('release')], end: hour },
  LAST_IN_REVIEW: { steps: lastInReview, end: reviewWindow },
  LAST_REVIEW_LAPSED: { steps: lastInReview, end: reviewWindow + 1 },
  STORED_WORKING: { steps: storedWorking, end: duration },
  STORED_IN_REVIEW: { steps: storedInReview, end: reviewWindow },
  STORED_IN_GRACE: { steps: storedInReview, end: 2 * reviewWindow },
  STORED_PAST_GRACE: { steps: storedInReview, end: 2 * reviewWindow + 1 },
  STORED_RECEIPTED: { steps: [...storedInReview, stranger('attachReceipt', { receipt: 'valid' })], end: reviewWindow },
  STORED_LAPSED: { steps: [...storedWorking, worker('markDelivered', { receipt: 'valid' })], end: reviewWindow + 1 },
  STORED_LAST_UNRECEIPTED: {
    steps: [...storedInReview, poster('release'), worker('markDelivered')],
    end: reviewWindow,
  },
  STORED_DISPUTED: {
    steps: [...storedInReview, worker('openDispute', { amount: bps }, reviewWindow + 1)],
    end: reviewWindow + 1,
  },
  DISPUTE_CONSENT: { steps: disputed, end: consentWindow },
  DISPUTE_SEATABLE: { steps: disputed, end: consentWindow + 1 },
  DISPUTE_DRAWING: { steps: drawing, end: consentWindow + 1 },
  DISPUTE_DRAWING_LATE: { steps: drawing, end: evidenceWindow + 1 },
  DISPUTE_DRAWING_YOUNG: { steps: young, end: consentWindow + 1 },
  DISPUTE_DRAWING_YOUNG_LATE: { steps: young, end: evidenceWindow + 1 },
  DISPUTE_EMPTY_BENCH_CONSENT: { steps: emptyBench, end: consentWindow },
  DISPUTE_EMPTY_BENCH: { steps: emptyBench, end: consentWindow + 1 },
  DISPUTE_EMPTY_BENCH_LATE: { steps: emptyBench, end: evidenceWindow + 1 },
  DISPUTE_UNSEATED: { steps: disputed, end: evidenceWindow + 1 },
  DISPUTE_PROPOSED: { steps: proposed, end: hour },
  DISPUTE_PROPOSED_LATE: { steps: proposed, end: evidenceWindow + 1 },
  DISPUTE_NAMED: { steps: namedDisputed, end: hour },
  DISPUTE_EVIDENCE: { steps: seated, end: evidenceWindow },
  DISPUTE_OFFERED: { steps: [...disputed, offer], end: hour },
  DISPUTE_OFFERED_LATE: { steps: [...disputed, offer], end: evidenceWindow + 1 },
  DISPUTE_SEATED_OFFERED: { steps: [...seated, offer], end: hour },
  DISPUTE_SEATED_OFFERED_LATE: { steps: [...seated, offer], end: evidenceWindow + 1 },
  DISPUTE_HEARD: { steps: heard, end: hour },
  DISPUTE_RULING: { steps: seated, end: evidenceWindow + 1 },
  DISPUTE_SILENT: { steps: seated, end: silentAt },
  DISPUTE_RULED_FOR_POSTER: { steps: ruledForPoster, end: appealWindow },
  DISPUTE_RULED_FOR_WORKER: { steps: ruledForWorker, end: appealWindow },
  DISPUTE_FINAL: { steps: ruledForPoster, end: appealWindow + 1 },
  COURT_EARLY: { steps: earlyCourt, end: consentWindow + 1 },
  COURT_OFFERED: { steps: later([...earlyCourt, offer], consentWindow + 1), end: consentWindow + 1 },
  COURT_OFFERED_LATE: { steps: later([...earlyCourt, offer], consentWindow + 1), end: evidenceWindow + 1 },
  COURT_UNRULED: { steps: unseated, end: evidenceWindow + 1 + courtWindow },
  COURT_UNRULED_LATE: { steps: unseated, end: evidenceWindow + 2 + courtWindow },
  COURT_AFTER_SILENCE: { steps: [...seated, stranger('resolveTimedOut', {}, silentAt)], end: silentAt },
  COURT_APPEALED_BY_WORKER: { steps: [...ruledForPoster, worker('escalate')], end: courtWindow },
  COURT_APPEALED_BY_POSTER: { steps: [...ruledForWorker, poster('escalate')], end: courtWindow },
  COURT_APPEALED_LATE: { steps: [...ruledForPoster, worker('escalate')], end: courtWindow + 1 },
  LAST_DISPUTED: { steps: [...lastInReview, poster('openDispute')], end: hour },
  SECOND_IN_REVIEW: { steps: [...disputed, poster('release'), worker('markDelivered')], end: hour },
  COMPLETED: { steps: [...working, poster('complete')], end: hour },
  CANCELLED: { steps: [...posted(), poster('cancel')], end: hour },
  EXPIRED: { steps: later([...posted(), stranger('expire')], claimDeadline), end: claimDeadline },
  RESOLVED: { steps: [...disputed, stranger('mutualCancel', { amount: bps / 2n })], end: hour },
  DECIDED: {
    steps: [...unseated, court('decide', { forWorker: true }, evidenceWindow + 1)],
    end: evidenceWindow + 1,
  },
}

interface Variant {
  args?: Partial<CellArgs>
  setup?: Setup
}

const onSetups = (...names: Setup[]): Variant[] => names.map((setup) => ({ setup }))
const withArgs = (...args: Partial<CellArgs>[]): Variant[] => args.map((each) => ({ args: each }))
const shares = (...amounts: bigint[]): Variant[] => amounts.map((amount) => ({ args: { amount } }))

/** How each operation is called besides plainly: so that every guard fails somewhere. */
const variants: Readonly<Record<string, (world: World, role: CellRole, isDrawing: boolean) => Variant[]>> = {
  post: () => [
    ...withArgs({ amount: total }, { amount: total + 1n }, { stored: true }),
    ...onSetups('paused', 'poster drained', 'poster without TOK'),
  ],
  create: () => [
    ...withArgs({ unsigned: true }, { other: 'poster' }, { other: finalCourt }, { poster: finalCourt }),
    ...onSetups('paused', 'poster drained', 'worker drained', 'poster without TOK', 'worker without TOK'),
  ],
  fund: (world) => [
    ...shares(0n, missing(world) + 1n),
    ...['none', 'paused', 'poster drained', 'poster spread', 'poster without TOK'].map((setup) => ({
      setup: setup as Setup,
      args: { amount: missing(world) },
    })),
  ],
  claim: () => [
    ...withArgs({ permitted: true }, { wrongDigest: true }),
    ...onSetups('paused', 'poster spread', 'worker drained', 'worker without TOK'),
  ],
  dismiss: () => onSetups('poster without TOK'),
  markDelivered: () => [
    ...withArgs({ otherMilestone: true }, { noHash: true }, { receipt: 'valid', noHash: true }),
    ...withArgs({ receipt: 'valid' }, { receipt: 'short' }, { receipt: 'forged' }),
  ],
  attachReceipt: () =>
    withArgs(
      { receipt: 'valid' },
      { receipt: 'valid', otherMilestone: true },
      { receipt: 'short' },
      { receipt: 'forged' },
    ),
  requestRevision: () => withArgs({ otherMilestone: true }, { noHash: true }),
  release: () => withArgs({ otherMilestone: true }),
  releaseLapsed: () => withArgs({ otherMilestone: true }),
  mutualCancel: () => [...shares(bps / 2n, bps + 1n), ...withArgs({ unsigned: true })],
  openDispute: (_, role) => {
    const amount = role === 'poster' ? 0n : bps
    return [
      ...shares(0n, 3_000n, bps, bps + 1n),
      ...withArgs({ amount, otherMilestone: true }, { amount, noHash: true }),
      ...onSetups('poster spread', 'poster without TOK').map((variant) => ({ ...variant, args: { amount } })),
    ]
  },
  propose: (_, role) => [
    ...withArgs({ other: 'arbitrator' }, { other: 'poster' }, { other: role }),
    { args: { other: role }, setup: 'unbonding' },
  ],
  seat: (_, __, isDrawing) => (isDrawing ? withArgs({ pending: true }) : []),
  submitEvidence: () => [
    ...shares(0n, 3_000n, 5_000n, bps, bps + 1n),
    ...[0n, 3_000n, 5_000n, bps].map((amount) => ({ args: { amount, noHash: true } })),
  ],
  resolve: () => withArgs({ forWorker: true }, { noHash: true }),
  decide: () =>
    withArgs({ forWorker: true }, { forWorker: true, unfounded: true }, { unfounded: true }, { noHash: true }),
  escalate: () => onSetups('poster drained', 'worker drained'),
}

const missing = ({ tasks: [, task] }: World): bigint => (task ? task.total - task.funded : 0n)

const ofContracts = new Set(['open', 'concede', 'abandon'])
const entries = new Set(['post', 'create'])
const ofTasks = new Set(lifecycle.map(({ operation }) => operation))
const ofAccounts = new Set(['register', 'requestUnbond'])
const operations = [...new Set([...lifecycle, ...disputes].map(({ operation }) => operation))].filter(
  (operation) => !ofContracts.has(operation),
)

/** Every cell, as the tables have it. */
export function cells(): Situation[] {
  return Object.entries(situations).map(([name, { steps, end }]) => {
    const world = { ...steps.reduce(perform, start()), now: startTime + end }
    const isDrawing = world.tasks[1]?.dispute.phase === 'OPEN' && steps.some(({ operation }) => operation === 'seat')
    const here = operations.filter((operation) => name === 'NONE' || !entries.has(operation))
    const found = here.flatMap((operation) =>
      cellRoles.flatMap((role) => {
        const special = hasRow(world, operation) ? (variants[operation]?.(world, role, isDrawing) ?? []) : []
        return [{}, ...special].map(({ args, setup = 'none' }: Variant) => {
          const call = { operation, role, args: { ...plain, ...args }, setup }
          return { ...call, ...cell(world, call, isDrawing) }
        })
      }),
    )
    return { name, steps, end, cells: found }
  })
}

const rowsByPlace = new Set([...lifecycle, ...disputes].map(({ operation, from }) => `${operation} ${from}`))
const placeOf = (task: Task | null | undefined, operation: string): string =>
  ofTasks.has(operation) ? (task?.state ?? 'NONE') : (task?.dispute.phase ?? 'NONE')
const hasRow = ({ tasks: [, task] }: World, operation: string): boolean =>
  rowsByPlace.has(`${operation} ${placeOf(task, operation)}`)

function start(): World {
  const funds = { tok: 1_000_000n * 10n ** 18n, usdc: 900_000_000n, deposit: 100_000_000n }
  const wallets = Object.fromEntries(cellRoles.map((role) => [role, funds]))
  const bond = 20_000n * 10n ** 18n
  return newWorld(params, startTime, { ...wallets, arbitrator: { ...funds, tok: funds.tok - bond, bond } })
}

function perform(world: World, { operation, role, at, args }: CellStep): World {
  const then = { ...world, now: startTime + at }
  return done(then, buildCall(then, operation, role, args, false))
}

function cell(
  world: World,
  { operation, role, args, setup }: Omit<Cell, 'error' | 'state' | 'phase'>,
  isDrawing: boolean,
): Pick<Cell, 'error' | 'state' | 'phase'> {
  const own = { ...world }
  setups[setup](own)
  const outcome = step(tables)(own, buildCall(own, operation, role, args, isDrawing))
  if ('error' in outcome) return { error: outcome.error, state: 'NONE', phase: 'NONE' }
  const task = outcome.world.tasks[1]
  return { state: task?.state ?? 'NONE', phase: task?.dispute.phase ?? 'NONE' }
}

/** The hash of the block that draws the judge. */
const drawHash = keccak256(toHex('draw'))

function buildCall(world: World, operation: string, role: CellRole, given: CellArgs, isDrawing: boolean): Call {
  const [, task] = world.tasks
  const args: Args = {
    amount: given.amount,
    workerBps: given.amount,
    shareBps: given.amount,
    hashGiven: !given.noHash,
    receipt: given.receipt,
    signed: !given.unsigned,
    digestMatches: !given.wrongDigest,
    permitted: given.permitted,
    forWorker: given.forWorker,
    unfounded: given.unfounded,
    arbitrator: given.other,
    ...(task && given.otherMilestone && { milestone: task.current + 1 }),
    ...(operation === 'create' && { poster: given.poster, worker: given.other }),
    ...(entries.has(operation) && { terms: buildTerms(world, operation === 'post' ? 'OPEN' : 'PRIVATE', given) }),
    ...(operation === 'seat' && isDrawing && task && drawArgs(world, task, given)),
  }
  const call = { operation, caller: role, args }
  return entries.has(operation) || ofAccounts.has(operation) ? call : { ...call, taskId: 1 }
}

function drawArgs(world: World, task: Task, { pending }: CellArgs): Args {
  if (pending) return { draw: 'pending' }
  return { draw: 'known', drawn: selectJudge(world, task, 1n, listDrawWeights(world), drawHash) }
}

function done(world: World, call: Call): World {
  const outcome = step(tables)(world, call)
  if ('error' in outcome) throw new Error(`${call.operation} by ${call.caller}: ${outcome.error}`)
  return outcome.world
}

/**
 * What no call of a wallet can show. A guard is listed where an earlier guard, the row's condition or its state already
 * rules out that it fails.
 */
const impossible: readonly string[] = [
  'settleDispute DISPUTED: done',
  'dismiss CLAIMED in the vet window: inClaim',
  'markDelivered ACTIVE something is in review: storeNamed',
  'seat OPEN the draw is waiting for its block: done',
  ...['the draw is waiting for its block', 'the draw found nobody', 'the draw found a judge'].map(
    (when) => `seat OPEN ${when}: pastConsent`,
  ),
  ...['OPEN', 'EVIDENCE', 'COURT'].flatMap((phase) =>
    ['at nothing', 'at everything', 'in between'].map(
      (where) => `submitEvidence ${phase} the shares meet ${where}: shareBetween`,
    ),
  ),
  // Only the poster can come to meet a worker that asks for everything.
  ...['OPEN', 'EVIDENCE', 'COURT'].map((phase) => `submitEvidence ${phase} the shares meet at everything: role`),
  ...['upheld', 'overturned'].map((fate) => `decide COURT the ruling is ${fate}: heard`),
]

/** Lists what of the tables no cell shows: each row done, refused to a wrong caller, and refused by each of its guards. */
export function listUnshown(all: readonly Situation[]): string[] {
  const shown = new Set(
    all.flatMap(({ steps, end, cells: here }) => {
      const world = { ...steps.reduce(perform, start()), now: startTime + end }
      const isDrawing = world.tasks[1]?.dispute.phase === 'OPEN' && steps.some(({ operation }) => operation === 'seat')
      return here.map((each) => {
        const own = { ...world }
        setups[each.setup](own)
        return describeDecision(own, buildCall(own, each.operation, each.role, each.args, isDrawing))
      })
    }),
  )
  const rows = [...lifecycle, ...disputes].filter(({ operation }) => !ofContracts.has(operation))
  const expected = rows.flatMap((row) => [
    `${describeRow(row)}: done`,
    ...(row.by === 'anyone' ? [] : [`${describeRow(row)}: role`]),
    ...row.guards.map((guard) => `${describeRow(row)}: ${guard}`),
  ])
  const wrong = impossible.filter((each) => shown.has(each) || !expected.includes(each))
  if (wrong.length > 0) throw new Error(`Listed as impossible, but possible or unknown: ${wrong.join('; ')}`)
  return expected.filter((each) => !shown.has(each) && !impossible.includes(each))
}

const describeRow = ({ operation, from, when }: TransitionRow): string =>
  [operation, from, ...(when ? [when] : [])].join(' ')

/** Names the row that a call falls under and what decides it. */
function describeDecision(world: World, call: Call): string {
  const task = call.taskId === undefined ? undefined : world.tasks[call.taskId]
  if (ofTasks.has(call.operation)) {
    const { terms, poster: owner = call.caller } = call.args ?? {}
    const subject = task ?? (terms && newTask(terms, owner))
    if (!subject) return ''
    return decide(buildTaskRules(tables), call, subject.state, situation(world, subject, call))
  }
  if (!task) return ''
  return decide(buildDisputeRules(tables), call, task.dispute.phase, disputeSituation(world, task, call))
}

function decide<R extends TransitionRow, S>(rules: RuleSet<R, S>, { operation }: Call, from: string, s: S): string {
  const row = rules.rows
    .get(`${operation} ${from}`)
    ?.find(({ when }) => when === undefined || rules.conditions[when]?.(s))
  if (!row) return ''
  if (rules.roles[row.by] && !rules.roleChecks[row.by]?.(s)) return `${describeRow(row)}: role`
  const failing = row.guards.find((name) => !rules.guards[name]?.holds(s))
  return `${describeRow(row)}: ${failing ?? 'done'}`
}
