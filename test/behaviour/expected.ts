// What answers must contain, written from the facts of the chain and not with the formats of the services.
import type { Market } from '@svc/protocol'
import { type Address, formatUnits } from 'viem'
import type { AgentFact, ArbitratorFact, EventFact, MarketFacts, TaskFact } from './facts.ts'
import type { BehaviourWorld } from './world.ts'

const orNull = (seconds: number) => seconds || null

/** `meta` of an answer: where and when it was read. */
export const describeMeta = ({ facts }: BehaviourWorld, market: Market, path: 'index' | 'chain' = 'index') => ({
  protocolVersion: 'v2',
  asset: 'TOK',
  market,
  source: 'chain-rpc',
  path,
  block: { number: Number(facts.block.number), hash: facts.block.hash, timestamp: facts.block.timestamp },
})

/** What a task waits for: what its scenario ends with, or a claim if it was posted for these checks. */
export function findPhase({ demoTasks }: BehaviourWorld, { market }: MarketFacts, { number }: TaskFact): string {
  const demo = demoTasks.find((each) => each.market === market && each.taskId === number)
  return demo?.scenario.expected.phase ?? 'OPEN_FOR_CLAIM'
}

/** Whether a task can be claimed now. */
export const isClaimable = (world: BehaviourWorld, of: MarketFacts, task: TaskFact) =>
  findPhase(world, of, task) === 'OPEN_FOR_CLAIM'

/** Finds the task of a scenario. */
export function findTask({ demoTasks, facts }: BehaviourWorld, market: Market, scenario: string): TaskFact {
  const demo = demoTasks.find((each) => each.market === market && each.scenario.name === scenario)
  const task = facts[market].tasks.find(({ number }) => number === demo?.taskId)
  if (!task) throw new Error(`No task of the ${market} market is ${scenario}.`)
  return task
}

/** A task of a list. */
export function buildExpectedTask(world: BehaviourWorld, of: MarketFacts, task: TaskFact) {
  return {
    id: task.id,
    market: of.market,
    registryAddress: of.contracts.taskRegistry,
    state: task.state,
    totalAmountTokWei: task.total,
    fundedTokWei: task.funded,
    releasedTokWei: task.released,
    ...(task.worker && { worker: task.worker, settlementDigest: task.settlementDigest }),
    poster: task.poster,
    refundedTokWei: task.refunded,
    scope: task.scope,
    claimPolicy: task.claimPolicy,
    allowedWorker: task.allowedWorker,
    arbitrator: task.arbitrator,
    store: task.store,
    receipted: task.receipted,
    underNotice: task.underNotice,
    milestones: task.milestones.map(({ amount, duration, state }) => ({
      amountTokWei: amount,
      durationSeconds: duration,
      state,
    })),
    currentMilestone: task.current,
    maxRevisions: task.maxRevisions,
    revisions: task.revisions,
    reviewWindowSeconds: task.reviewWindow,
    postedAt: task.postedAt,
    postedBlock: task.postedBlock,
    claimDeadline: orNull(task.claimDeadline),
    claimedAt: orNull(task.claimedAt),
    fundedAtClaim: task.fundedAtClaim,
    deadline: orNull(task.deadline),
    reviewEnd: orNull(task.reviewEnd),
    workerBps: task.workerBps,
    ruled: task.ruled,
    phase: findPhase(world, of, task),
    claimableUntil: isClaimable(world, of, task) ? task.claimableUntil : null,
  }
}

export interface PublishedText {
  title: string
  criteria: string
  milestones: string[]
  tags?: string[]
}

/** The text of an open task; null for a private one. */
export const readText = ({ text }: TaskFact): PublishedText | null =>
  typeof text === 'string' ? JSON.parse(text) : null

/** What a list with texts adds to a task. */
export function describeText(task: TaskFact) {
  const { title, criteria, tags = [] } = readText(task) ?? { title: '', criteria: '' }
  const line = criteria.replaceAll(/\s+/g, ' ').trim()
  return {
    title,
    // Cut after a whole word.
    excerpt: line.length > 200 ? `${line.slice(0, 200).replace(/\s\S*$/, '')}…` : line,
    tags,
    netPayTokWei: task.total - 1_000n * 10n ** 18n,
  }
}

/** The cursor after a task. */
export const encodeListCursor = ({ number }: TaskFact) => Buffer.from(String(number)).toString('base64url')

/** The tasks of a market, newest first. */
export const newestFirst = ({ tasks }: MarketFacts) => tasks.toReversed()

/** A wallet with its counters. */
export function describeAgent(agent: AgentFact) {
  const { completedAsPoster, completedAsWorker } = agent
  return {
    address: agent.address,
    score: agent.score,
    completed: completedAsPoster + completedAsWorker,
    completedAsPoster,
    completedAsWorker,
    earnedTokWei: agent.earned,
    paidTokWei: agent.paid,
    disputesWon: agent.disputesWon,
    disputesLost: agent.disputesLost,
    leaves: agent.leaves,
    dismissals: agent.dismissals,
    lapses: agent.lapses,
    distinctCounterparties: agent.distinctCounterparties,
  }
}

/** Wallets with a reputation, best first. */
export const rankAgents = ({ agents }: MarketFacts) =>
  agents
    .filter(({ score, address: _, ...each }) => score > 0 || hasCounters(each))
    .toSorted((a, b) => b.score - a.score || (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

const hasCounters = (agent: Omit<AgentFact, 'score' | 'address'>) =>
  agent.completedAsPoster +
    agent.completedAsWorker +
    agent.disputesWon +
    agent.disputesLost +
    agent.leaves +
    agent.dismissals +
    agent.lapses +
    agent.distinctCounterparties >
  0

/** An arbitrator and its bond. */
export const describeVerifier = (arbitrator: ArbitratorFact) => ({
  address: arbitrator.address,
  bondTokWei: arbitrator.bond,
  lockedTokWei: arbitrator.locked,
  openCases: arbitrator.openCases,
  resolved: arbitrator.resolved,
  timedOut: arbitrator.timedOut,
  overturned: arbitrator.overturned,
  slashedTokWei: arbitrator.slashed,
  unbondAt: orNull(arbitrator.unbondAt),
})

/** The line that a deposit is at, in USDC units. */
export const findLine = (deposit: bigint) =>
  deposit < 8_000_000n
    ? 'paused'
    : deposit < 25_000_000n
      ? 'below-entry'
      : deposit < 45_000_000n
        ? 'below-recommended'
        : 'ready'

/** The hash of work that an event puts on chain, and what kind of work it is. */
const works: Readonly<Record<string, readonly [kind: string, field: string]>> = {
  MilestoneDelivered: ['delivery', 'proofHash'],
  RevisionRequested: ['revision', 'reasonHash'],
  DisputeOpened: ['evidence', 'evidenceHash'],
  EvidenceSubmitted: ['evidence', 'evidenceHash'],
  Ruled: ['ruling', 'reasonHash'],
  Decided: ['ruling', 'reasonHash'],
}

export function findDelivery({ event, args }: EventFact) {
  const [kind, field = ''] = works[event] ?? []
  return kind === undefined ? null : { kind, hash: args[field] }
}

/** An event of a list. */
export const describeEvent = (event: EventFact, market: Market) => ({
  event: event.event,
  contract: event.contract,
  taskId: typeof event.args.taskId === 'bigint' && event.args.taskId > 0n ? `v2:${market}:${event.args.taskId}` : null,
  args: event.args,
  bundle: findDelivery(event),
  blockNumber: Number(event.blockNumber),
  logIndex: event.logIndex,
  timestamp: event.timestamp,
  transactionHash: event.transactionHash,
})

/** An amount for people in four digits or the whole part, rounded down: `1,152 TOK`, `1.234 TOK`, `25.00 USDC`. */
export function formatShortMoney(amount: bigint, token: 'TOK' | 'USDC'): string {
  const decimals = token === 'TOK' ? 18 : 4
  const unit = 10n ** BigInt(Math.min(Math.max(String(amount).replace('-', '').length - 4, 0), decimals))
  return formatMoney(amount - (amount % unit), token)
}

/** An amount for people: `1,000.5 TOK`, `25.00 USDC`. */
export function formatMoney(amount: bigint, token: 'TOK' | 'USDC'): string {
  const [whole = '0', part = ''] = formatUnits(amount, token === 'TOK' ? 18 : 6).split('.')
  const cents = token === 'USDC' ? part.padEnd(2, '0') : part
  return `${BigInt(whole).toLocaleString('en')}${cents ? `.${cents}` : ''} ${token}`
}

/** A time for people, in UTC. */
export const formatUtcTime = (seconds: number) =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

export const isWallet = (one: Address | null, other: Address) => one?.toLowerCase() === other.toLowerCase()
