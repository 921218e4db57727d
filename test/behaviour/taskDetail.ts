import { type Address, type Hex, zeroAddress } from 'viem'
import { buildExpectedTask, describeEvent, findDelivery, readText } from './expected.ts'
import type { EventFact, MarketFacts, TaskFact } from './facts.ts'
import type { BehaviourWorld } from './world.ts'

const phases = ['NONE', 'OPEN', 'EVIDENCE', 'RULED', 'COURT', 'CLOSED']
const endings = ['NONE', 'RULED', 'DECIDED', 'TIMED_OUT', 'SETTLED', 'CONCEDED', 'CANCELLED']
const orNull = (seconds: number) => seconds || null
const orNobody = (wallet: string) => (wallet === zeroAddress ? null : wallet)

/** A task with everything that is known about it. */
export function describeDetail(world: BehaviourWorld, of: MarketFacts, task: TaskFact) {
  const own = of.events.filter(({ args }) => args.taskId === task.number)
  const { terms, ...rest } = describeRest(world, of, task, own)
  return { ...buildExpectedTask(world, of, task), terms, ...rest }
}

/** The fields that a list does not have. */
function describeRest(world: BehaviourWorld, of: MarketFacts, task: TaskFact, own: readonly EventFact[]) {
  const { timestamp: now } = world.facts.block
  const { vetWindow, fundingWindow } = of.params
  const [isPosted, isClaimed, isActive] = ['POSTED', 'CLAIMED', 'ACTIVE'].map((state) => task.state === state)
  const isPaidIn = task.funded === task.total
  const text = readText(task)
  const opened = own.findLastIndex(({ event }) => event === 'DisputeOpened')
  const inDispute = own
    .slice(opened)
    .flatMap((event) => describeWork(world, task, event) ?? [])
    .filter(({ kind }) => kind === 'evidence' || kind === 'ruling')
  const terms = readTerms(task)
  return {
    criteriaHash: terms.criteriaHash,
    terms,
    text: text && { ...text, canonical: true },
    deadlines: {
      claim: isPosted ? task.claimableUntil : null,
      funding: isClaimed && !isPaidIn ? task.claimedAt + fundingWindow : null,
      vet: isClaimed && now <= task.claimedAt + vetWindow ? task.claimedAt + vetWindow : null,
      start: isClaimed && isPaidIn ? task.claimedAt + fundingWindow : null,
      milestone: isActive && task.reviewEnd === 0 ? task.deadline : null,
      review: isActive ? orNull(task.reviewEnd) : null,
    },
    pendingActions: listPending(world, of, task),
    dispute: task.dispute && task.dispute.phase > 0 ? describeDispute(task.dispute, inDispute) : null,
    bundles: describeBundles(world, of, task),
    timeline: own.map((event) => {
      const { taskId: _, args, ...rest } = describeEvent(event, of.market)
      const { taskId: __, terms: ___, text: ____, ...shown } = args
      return { ...rest, args: shown, bundle: describeWork(world, task, event) }
    }),
  }
}

/** The terms that both parties are bound to, as they were posted. */
export function readTerms(task: TaskFact) {
  const terms = readTaskTerms(task)
  return {
    poster: terms.poster,
    amountsTokWei: terms.amounts,
    durationsSeconds: terms.durations.map(Number),
    reviewWindowSeconds: Number(terms.reviewWindow),
    maxRevisions: terms.maxRevisions,
    arbitrator: orNobody(terms.arbitrator),
    store: orNobody(terms.store),
    criteriaHash: terms.criteriaHash,
    scope: terms.scope === 0 ? 'OPEN' : 'PRIVATE',
    claimPolicy: terms.claimPolicy === 0 ? 'ANYONE' : 'PERMIT',
    claimDeadline: Number(terms.claimDeadline),
    nonce: terms.nonce,
  }
}

/** The terms of a task, as its first event has them. */
export function readTaskTerms({ terms }: TaskFact): Terms {
  if (!isTerms(terms)) throw new Error('The task has no terms.')
  return terms
}

interface Terms {
  poster: Address
  amounts: readonly bigint[]
  durations: readonly bigint[]
  reviewWindow: bigint
  maxRevisions: number
  arbitrator: Address
  store: Address
  criteriaHash: Hex
  scope: number
  claimPolicy: number
  claimDeadline: bigint
  nonce: bigint
}

const isTerms = (terms: unknown): terms is Terms => typeof terms === 'object' && terms !== null && 'amounts' in terms

/** Every bundle of work that a task put on chain. */
export const describeBundles = (world: BehaviourWorld, { events }: MarketFacts, task: TaskFact) =>
  events.flatMap((event) => (event.args.taskId === task.number ? (describeWork(world, task, event) ?? []) : []))

/** The bundle of work that an event puts on chain, as its author sealed it. */
function describeWork({ bundles }: BehaviourWorld, { store }: TaskFact, event: EventFact) {
  const work = findDelivery(event)
  if (!work) return null
  const bundle = bundles.find(({ hash }) => hash === work.hash)
  if (!bundle) throw new Error(`Nobody sealed ${work.hash}.`)
  const { author, milestone, revision } = JSON.parse(new TextDecoder().decode(bundle.bytes))
  return { ...work, author, milestone, revision, hasReceipt: false, store }
}

function describeDispute(dispute: NonNullable<TaskFact['dispute']>, bundles: readonly object[]) {
  const isClosed = phases[dispute.phase] === 'CLOSED'
  return {
    phase: phases[dispute.phase],
    ending: endings[dispute.ending],
    round: dispute.number,
    openedBy: dispute.openedByPoster ? 'poster' : 'worker',
    amountTokWei: dispute.amount,
    stakeTokWei: dispute.stake,
    offerBps: dispute.offerBps,
    askBps: dispute.askBps,
    posterSpoke: dispute.posterSpoke,
    workerSpoke: dispute.workerSpoke,
    named: orNobody(dispute.named),
    posterProposal: orNobody(dispute.posterProposal),
    workerProposal: orNobody(dispute.workerProposal),
    judge: orNobody(dispute.judge),
    ruledFor: dispute.ruled ? (dispute.forWorker ? 'worker' : 'poster') : null,
    appealed: dispute.appealed,
    workerBps: isClosed ? dispute.workerBps : null,
    bundles,
    openedAt: dispute.openedAt,
    consentEnd: orNull(dispute.consentEnd),
    evidenceEnd: orNull(dispute.evidenceEnd),
    rulingEnd: orNull(dispute.rulingEnd),
    appealEnd: orNull(dispute.appealEnd),
    courtEnd: orNull(dispute.courtEnd),
  }
}

type Clock = 'claim' | 'start' | 'milestone' | 'review' | 'appeal' | null

/** What can happen next, by scenario: action, who may do it, and until when. Written out: the rules have tests of their own. */
const pending: Readonly<Record<string, readonly (readonly [action: string, by: string, until: Clock])[]>> = {
  permitOnly: [
    ['allow-worker', 'poster', null],
    ['cancel-task', 'poster', null],
    ['claim-task', 'anyone', 'claim'],
  ],
  readyToStart: [
    ['start-work', 'poster', 'start'],
    ['dismiss-worker', 'poster', 'start'],
    ['start-work', 'worker', 'start'],
    ['leave-task', 'worker', 'start'],
    ['mutual-cancel', 'anyone', null],
  ],
  working: [
    ['accept-milestone', 'poster', null],
    ['complete-task', 'poster', null],
    ['dismiss-worker', 'poster', 'milestone'],
    ['submit-proof', 'worker', 'milestone'],
    ['leave-task', 'worker', 'milestone'],
    ['mutual-cancel', 'anyone', null],
  ],
  inReview: [
    ['request-revision', 'poster', 'review'],
    ['accept-milestone', 'poster', null],
    ['complete-task', 'poster', null],
    ['open-dispute', 'poster', 'review'],
    ['mutual-cancel', 'anyone', null],
  ],
  disputeRuled: [['escalate', 'poster', 'appeal']],
  resolvedByCourt: [],
  privateCompleted: [],
}

/** The scenarios whose next actions are written out. */
export const knownScenarios = Object.keys(pending)

/** What can happen next to the task of a scenario. */
function listPending({ demoTasks }: BehaviourWorld, { market, params }: MarketFacts, task: TaskFact) {
  const name = demoTasks.find((each) => each.market === market && each.taskId === task.number)?.scenario.name ?? ''
  const ends = {
    claim: task.claimableUntil,
    start: task.claimedAt + params.fundingWindow,
    milestone: task.deadline,
    review: task.reviewEnd,
    appeal: task.dispute?.appealEnd ?? 0,
  }
  const rows = pending[name]
  if (!rows) throw new Error(`Nothing is written about ${name}.`)
  return rows.map(([action, by, until]) => ({ action, by, until: until && ends[until] }))
}
