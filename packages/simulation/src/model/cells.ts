import { type DisputePhase, marketParams, type TaskState } from '@svc/protocol'
import { bps } from '@svc/protocol/internal/money'
import {
  buildDisputeRules,
  buildTaskRules,
  type CallFacts,
  type RuleSet,
  type TransitionRow,
} from '@svc/protocol/internal/tasks'
import { disputes, lifecycle } from '@svc/protocol/lifecycle'
import { copyTask } from './draft.ts'
import { type Args, type Call, disputeSituation, situation } from './facts.ts'
import { addTo, penalise, readFreeDeposit, sendTok } from './money.ts'
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
    drainFree(world, 'poster')
  },
  /** A part of the reserve is gone, and other tasks reserve all that was free. */
  'poster spread': (world) => {
    drainReserve(world)
    addTo(world, 'reserved', 'poster', readFreeDeposit(world, 'poster'))
  },
  'worker drained': (world) => drainFree(world, 'worker'),
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
  penalise(world, own, 'poster', 'treasury', 6_000_000n)
}

function drainFree(world: World, wallet: string): void {
  const free = readFreeDeposit(world, wallet)
  addTo(world, 'deposits', wallet, -free)
  addTo(world, 'deposits', 'treasury', free)
}

/** The arguments of a call, as far as they matter to its operation. */
export interface CellArgs {
  /** What is funded, or the worker's share in basis points. */
  amount: bigint
  /** Whom `propose` and `allowWorker` name; the worker of `create`. */
  other: CellRole
  /** The poster of `create`. */
  poster: CellRole
  otherMilestone: boolean
  noHash: boolean
  receipt: CallFacts['receipt']
  unsigned: boolean
  wrongDigest: boolean
  permitted: boolean
  forWorker: boolean
  /** A ruling names another dispute of the task. */
  wrongCase: boolean
  /** Terms with a store, an arbitrator, a claim policy of PERMIT. */
  stored: boolean
  named: boolean
  permitOnly: boolean
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
  wrongCase: false,
  stored: false,
  named: false,
  permitOnly: false,
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
const startTime = 1_800_000_000

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
const allowed = [...posted({ permitOnly: true }), poster('allowWorker')]
const claimed = [...posted(), worker('claim')]
const funded = [...claimed, fund]
const fundedFirst = [poster('post', { amount: total }), worker('claim')]
const working = [...funded, poster('activate')]
const inReview = [...working, worker('markDelivered')]
const lastInReview = [...inReview, poster('release'), worker('markDelivered')]
const storedWorking = [...posted({ stored: true }), worker('claim'), fund, poster('activate')]
const storedInReview = [...storedWorking, worker('markDelivered')]
const noticed = [...working, poster('dismiss')]
const noticedInReview = [...noticed, worker('markDelivered')]
const storedNoticed = [...storedWorking, poster('dismiss'), worker('markDelivered')]
const disputed = [...inReview, poster('openDispute')]
const disputedSince = (entry: readonly CellStep[]): CellStep[] => [
  ...entry,
  fund,
  poster('activate'),
  worker('markDelivered'),
  poster('openDispute'),
]
const namedDisputed = disputedSince([...posted({ named: true }), worker('claim')])
const byWorker = worker('propose', { other: 'arbitrator' })
const acceptance = arbitrator('propose', { other: 'arbitrator' })
const proposed = [...disputed, poster('propose', { other: 'arbitrator' }), byWorker]
const seated = [...proposed, acceptance]
const heard = [...seated, worker('submitEvidence', { amount: bps })]
const rulable = evidenceWindow + 1
const ruledForPoster = [...heard, arbitrator('resolve', {}, rulable)]
const ruledForWorker = [...heard, arbitrator('resolve', { forWorker: true }, rulable)]
const offer = poster('submitEvidence', { amount: 3_000n })
const silentAt = evidenceWindow + rulingWindow + 1
const unseatedAt = consentWindow + 1
const unseated = [...disputed, stranger('resolveTimedOut', {}, unseatedAt)]
const privateReady = [stranger('create'), fund]

/** The situations: each phase of a task and of a dispute on both sides of its limits. */
const situations: Record<string, { steps: readonly CellStep[]; end: number }> = {
  NONE: { steps: [], end: 0 },
  OPEN_FOR_CLAIM: { steps: posted(), end: claimDeadline - claimCutoff },
  CLAIM_CLOSED: { steps: posted(), end: claimDeadline - claimCutoff + 1 },
  OPEN_BY_PERMIT: { steps: posted({ permitOnly: true }), end: hour },
  OPEN_TO_ONE: { steps: allowed, end: hour },
  OPEN_TO_NOBODY_ELSE: { steps: [...allowed, worker('claim'), worker('leaveTask')], end: hour },
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
  STORED_RECEIPTED: { steps: [...storedInReview, worker('markDelivered', { receipt: 'valid' })], end: reviewWindow },
  STORED_LAPSED: { steps: [...storedWorking, worker('markDelivered', { receipt: 'valid' })], end: reviewWindow + 1 },
  STORED_LAST_UNRECEIPTED: {
    steps: [...storedInReview, poster('release'), worker('markDelivered')],
    end: reviewWindow,
  },
  STORED_DISPUTED: {
    steps: [...storedInReview, worker('openDispute', { amount: bps }, reviewWindow + 1)],
    end: reviewWindow + 1,
  },
  NOTICE: { steps: noticed, end: duration },
  NOTICE_OVER: { steps: noticed, end: duration + 1 },
  NOTICE_AFTER_REVISION: { steps: [...inReview, poster('requestRevision'), poster('dismiss')], end: hour },
  NOTICE_IN_REVIEW: { steps: noticedInReview, end: reviewWindow },
  NOTICE_REVIEW_LAPSED: { steps: noticedInReview, end: reviewWindow + 1 },
  NOTICE_IN_GRACE: { steps: storedNoticed, end: 2 * reviewWindow },
  NOTICE_PAST_GRACE: { steps: storedNoticed, end: 2 * reviewWindow + 1 },
  NOTICE_DISPUTED: { steps: [...noticedInReview, poster('openDispute')], end: hour },
  DISPUTE_CONSENT: { steps: disputed, end: consentWindow },
  DISPUTE_UNSEATED: { steps: disputed, end: unseatedAt },
  DISPUTE_UNSEATED_LATE: { steps: disputed, end: rulable },
  DISPUTE_PROPOSED: { steps: proposed, end: consentWindow },
  DISPUTE_PROPOSED_LATE: { steps: proposed, end: unseatedAt },
  DISPUTE_NAMED_BY_POSTER: { steps: namedDisputed, end: hour },
  DISPUTE_NAMED_BY_BOTH: { steps: [...namedDisputed, byWorker], end: hour },
  PRIVATE_NAMED: { steps: disputedSince([stranger('create', { named: true })]), end: consentWindow },
  PRIVATE_SEATED: { steps: [...disputedSince([stranger('create', { named: true })]), acceptance], end: hour },
  DISPUTE_EVIDENCE: { steps: seated, end: evidenceWindow },
  DISPUTE_PARTY_SILENT: { steps: seated, end: rulable },
  DISPUTE_OFFERED: { steps: [...disputed, offer], end: hour },
  DISPUTE_OFFERED_LATE: { steps: [...disputed, offer], end: rulable },
  DISPUTE_SEATED_OFFERED: { steps: [...seated, offer], end: hour },
  DISPUTE_SEATED_OFFERED_LATE: { steps: [...seated, offer], end: rulable },
  DISPUTE_HEARD: { steps: heard, end: hour },
  DISPUTE_RULING: { steps: heard, end: silentAt - 1 },
  DISPUTE_SILENT: { steps: heard, end: silentAt },
  DISPUTE_STEPPED_DOWN: { steps: [...heard, arbitrator('stepDown')], end: hour },
  DISPUTE_RULED_FOR_POSTER: { steps: ruledForPoster, end: rulable + appealWindow },
  DISPUTE_RULED_FOR_WORKER: { steps: ruledForWorker, end: rulable + appealWindow },
  DISPUTE_FINAL: { steps: ruledForPoster, end: rulable + appealWindow + 1 },
  COURT_EARLY: { steps: unseated, end: unseatedAt },
  COURT_OFFERED: { steps: later([...unseated, offer], unseatedAt), end: unseatedAt },
  COURT_OFFERED_LATE: { steps: later([...unseated, offer], unseatedAt), end: rulable },
  COURT_UNRULED: { steps: unseated, end: unseatedAt + courtWindow },
  COURT_UNRULED_LATE: { steps: unseated, end: unseatedAt + courtWindow + 1 },
  COURT_AFTER_SILENCE: { steps: [...heard, stranger('resolveTimedOut', {}, silentAt)], end: silentAt },
  COURT_AFTER_STEPPING_DOWN: { steps: [...heard, arbitrator('stepDown', {}, rulable)], end: rulable },
  COURT_APPEALED_BY_WORKER: {
    steps: later([...ruledForPoster, worker('escalate')], rulable),
    end: rulable + courtWindow,
  },
  COURT_APPEALED_BY_POSTER: {
    steps: later([...ruledForWorker, poster('escalate')], rulable),
    end: rulable + courtWindow,
  },
  COURT_APPEALED_LATE: {
    steps: later([...ruledForPoster, worker('escalate')], rulable),
    end: rulable + courtWindow + 1,
  },
  LAST_DISPUTED: { steps: [...lastInReview, poster('openDispute')], end: hour },
  SECOND_IN_REVIEW: { steps: [...disputed, poster('release'), worker('markDelivered')], end: hour },
  COMPLETED: { steps: [...working, poster('complete')], end: hour },
  CANCELLED: { steps: [...posted(), poster('cancel')], end: hour },
  EXPIRED: { steps: later([...posted(), stranger('expire')], claimDeadline), end: claimDeadline },
  RESOLVED: { steps: [...disputed, stranger('mutualCancel', { amount: bps / 2n })], end: hour },
  DECIDED: {
    steps: [...unseated, court('decide', { forWorker: true }, rulable)],
    end: rulable,
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
const variants: Readonly<Record<string, (world: World, role: CellRole) => Variant[]>> = {
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
    ...onSetups('none', 'paused', 'poster drained', 'poster spread', 'poster without TOK').map((variant) => ({
      ...variant,
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
    ...withArgs({ receipt: 'valid' }, { receipt: 'empty' }, { receipt: 'short' }, { receipt: 'forged' }),
  ],
  requestRevision: () => withArgs({ otherMilestone: true }, { noHash: true }),
  release: () => [...withArgs({ otherMilestone: true }), ...onSetups('poster spread')],
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
  submitEvidence: () => [
    ...shares(0n, 3_000n, 5_000n, bps, bps + 1n),
    ...[0n, 3_000n, 5_000n, bps].map((amount) => ({ args: { amount, noHash: true } })),
  ],
  resolve: () => withArgs({ forWorker: true }, { noHash: true }, { wrongCase: true }),
  decide: () =>
    [false, true].flatMap((forWorker) =>
      withArgs({ forWorker }, { forWorker, noHash: true }, { forWorker, wrongCase: true }),
    ),
  escalate: () => onSetups('poster drained', 'worker drained'),
}

const missing = ({ tasks: [, task] }: World): bigint => (task ? task.total - task.funded : 0n)

const ofContracts = new Set(['open', 'concede', 'abandon'])
const entries = new Set(['post', 'create'])
const ofTasks = new Set(lifecycle.map(({ operation }) => operation))
const operations = [...new Set([...lifecycle, ...disputes].map(({ operation }) => operation))].filter(
  (operation) => !ofContracts.has(operation),
)

/** Every cell, as the tables have it. */
export function cells(): Situation[] {
  return Object.entries(situations).map(([name, { steps, end }]) => {
    const world = { ...steps.reduce(perform, start()), now: startTime + end }
    const here = operations.filter((operation) => name === 'NONE' || !entries.has(operation))
    const found = here.flatMap((operation) =>
      cellRoles.flatMap((role) => {
        const special = hasRow(world, operation) ? (variants[operation]?.(world, role) ?? []) : []
        return [{}, ...special].map(({ args, setup = 'none' }: Variant) => {
          const call = { operation, role, args: { ...plain, ...args }, setup }
          return { ...call, ...cell(world, call) }
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
  return done(then, buildCall(then, operation, role, args))
}

function cell(
  world: World,
  { operation, role, args, setup }: Omit<Cell, 'error' | 'state' | 'phase'>,
): Pick<Cell, 'error' | 'state' | 'phase'> {
  const own = { ...world }
  setups[setup](own)
  const outcome = step(tables)(own, buildCall(own, operation, role, args))
  if ('error' in outcome) return { error: outcome.error, state: 'NONE', phase: 'NONE' }
  const task = outcome.world.tasks[1]
  return { state: task?.state ?? 'NONE', phase: task?.dispute.phase ?? 'NONE' }
}

function buildCall(world: World, operation: string, role: CellRole, given: CellArgs): Call {
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
    arbitrator: given.other,
    ...(task && given.otherMilestone && { milestone: task.current + 1 }),
    ...(task && given.wrongCase && { number: task.dispute.number + 1 }),
    ...(operation === 'allowWorker' && { worker: given.other }),
    ...(operation === 'create' && { poster: given.poster, worker: given.other }),
    ...(entries.has(operation) && { terms: buildTerms(world, operation === 'post' ? 'OPEN' : 'PRIVATE', given) }),
  }
  const call = { operation, caller: role, args }
  return entries.has(operation) ? call : { ...call, taskId: 1 }
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
  'markDelivered ACTIVE something is in review: storeNamed',
  'stepDown EVIDENCE another judge can be named: inRulingWindow',
  ...['OPEN', 'EVIDENCE', 'COURT'].flatMap((phase) =>
    ['at nothing', 'at everything', 'in between'].map(
      (where) => `submitEvidence ${phase} the shares meet ${where}: shareBetween`,
    ),
  ),
  // Only the poster can come to meet a worker that asks for everything.
  ...['OPEN', 'EVIDENCE', 'COURT'].map((phase) => `submitEvidence ${phase} the shares meet at everything: role`),
  ...['upheld', 'overturned'].map((fate) => `decide COURT the ruling is ${fate}: pastEvidenceWindow`),
]

/** Lists what of the tables no cell shows: each row done, refused to a wrong caller, and refused by each of its guards. */
export function listUnshown(all: readonly Situation[]): string[] {
  const shown = new Set(
    all.flatMap(({ steps, end, cells: here }) => {
      const world = { ...steps.reduce(perform, start()), now: startTime + end }
      return here.map((each) => {
        const own = { ...world }
        setups[each.setup](own)
        return describeDecision(own, buildCall(own, each.operation, each.role, each.args))
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
