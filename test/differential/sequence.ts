import {
  type Args,
  type Call,
  finalCourt,
  newWorld,
  step,
  type Task,
  type Terms,
  tables,
  type World,
} from '@svc/simulation/model'
import { createRandom, type Random } from '@svc/simulation/random'
import type { Market } from '../../packages/protocol/src/base/market.ts'
import { marketParams } from '../../packages/protocol/src/money/params.ts'
import { disputes } from '../../packages/protocol/src/tasks/disputes.ts'
import { lifecycle } from '../../packages/protocol/src/tasks/lifecycle.ts'
import { liveStates } from '../../packages/protocol/src/tasks/states.ts'
import { type Likely, likely } from './likely.ts'
import { judges, users, wallets } from './wallets.ts'

/** One call and the model's result. */
export interface Step {
  call: Call
  error: string | null
  /** The world after the call. */
  world: World
}

export interface Sequence {
  market: Market
  steps: readonly Step[]
}

const startTime = 1_800_000_000
const tok = 10n ** 18n
const usd = 1_000_000n
const maxLive = 2
const deposits = ['topUp', 'withdrawDeposit']
const bonds = ['register', 'requestUnbond', 'unbond']
const ofContracts = ['open', 'concede', 'abandon', 'settleDispute']

/** The operations, in the order Solidity numbers them. */
export const operations: readonly string[] = [
  ...new Set([...lifecycle, ...disputes].map(({ operation }) => operation)),
  ...deposits,
  ...bonds,
  'pauseEntries',
  'unpauseEntries',
].filter((operation) => !ofContracts.includes(operation))

const run = step(tables)

/** Creates a random sequence of calls on a market: most succeed, some must fail. */
export function sequence(seed: number, length: number): Sequence {
  const chance = createRandom(seed)
  const market = chance.pick(['standard', 'micro'] as const)
  let world = firstWorld(market)
  const steps: Step[] = []
  const bench = judges.slice(0, chance.pick([0, 1, 3, 6, judges.length])).map(registration)
  while (steps.length < length) {
    // After a refused call, time is more likely to pass, and disputes mostly wait.
    const isDisputed = world.tasks.some((task) => task?.state === 'DISPUTED')
    world = pass(world, chance, steps.at(-1)?.error ? 0.5 : isDisputed ? 0.35 : 0.1)
    const call = bench.shift() ?? choose(world, chance)
    const outcome = run(world, call)
    if ('world' in outcome) world = outcome.world
    steps.push({ call, error: 'error' in outcome ? outcome.error : null, world })
  }
  return { market, steps }
}

function firstWorld(market: Market): World {
  const funds = { tok: 60_000n * tok, usdc: 60n * usd, deposit: 60n * usd }
  return newWorld(marketParams[market], startTime, Object.fromEntries(wallets.map((wallet) => [wallet, funds])))
}

const registration = (judge: string): Call => ({
  operation: 'register',
  caller: judge,
  args: { amount: 12_000n * tok },
})

/** Advances time: a little, to a deadline, or to one second after it. */
function pass(world: World, { chance, below, pick }: Random, leap: number): World {
  if (!chance(leap)) return { ...world, now: world.now + below(60) }
  const limits = world.tasks
    .flatMap((task) => (task && isLive(task) ? listDeadlines(task, world) : []))
    .filter((limit) => limit >= world.now)
    .sort((a, b) => a - b)
  // Only the nearest deadlines: a leap to the last one would end all other tasks.
  return { ...world, now: limits.length > 0 ? pick(limits.slice(0, 2)) + below(2) : world.now + below(3600) }
}

const isLive = (task: Task) => (liveStates as readonly string[]).includes(task.state)

function listDeadlines({ terms, claimedAt, deadline, reviewEnd, dispute }: Task, { params }: World): number[] {
  const { consentEnd, evidenceEnd, rulingEnd, appealEnd, courtEnd } = dispute
  const claim = [terms.claimDeadline - params.claimCutoff]
  const claimed = claimedAt ? [claimedAt + params.vetWindow, claimedAt + params.fundingWindow] : []
  const review = reviewEnd ? [reviewEnd, reviewEnd + Math.max(terms.reviewWindow, params.minRevisionTime)] : []
  return [...claim, ...claimed, deadline, ...review, consentEnd, evidenceEnd, rulingEnd, appealEnd, courtEnd]
}

/** Chooses a call: mostly one that advances a live task, sometimes any call. */
function choose(world: World, chance: Random): Call {
  const { below, pick } = chance
  if (world.entriesPaused && chance.chance(0.5)) return callOn(0, { operation: 'unpauseEntries' }, world, chance)
  if (chance.chance(0.2)) return callOn(1 + below(world.tasks.length), { operation: pick(operations) }, world, chance)
  const live = world.tasks.flatMap((task, id) => (task && isLive(task) ? [id] : []))
  const another = live.length === 0 || (live.length < maxLive && chance.chance(0.1))
  const taskId = another ? 0 : pick(live)
  const next = () => callOn(taskId, pick(likely(world.tasks[taskId] ?? null, chance)), world, chance)
  let call = next()
  for (let tries = 0; tries < 4 && 'error' in run(world, call); tries++) call = next()
  return call
}

function callOn(taskId: number, { operation, caller, args: given }: Likely, world: World, chance: Random): Call {
  const task = world.tasks[taskId] ?? null
  const args = { ...chooseArgs(operation, world, task, chance), ...given }
  const call = { operation, caller: caller ?? chooseCaller(operation, task, chance), args }
  return taskless.includes(operation) ? call : { ...call, taskId }
}

/** Operations that name no task. */
const taskless = ['post', 'create', ...deposits, ...bonds, 'pauseEntries', 'unpauseEntries']

function chooseCaller(operation: string, task: Task | null, { chance, pick }: Random): string {
  if (bonds.includes(operation)) return pick(wallets)
  if (operation === 'claim') return pick(users)
  if (task && (operation === 'resolve' || operation === 'stepDown') && chance(0.9))
    return task.dispute.judge ?? pick(judges)
  if (operation === 'decide' && chance(0.9)) return finalCourt
  if (operation === 'propose' && chance(0.3)) return pick(wallets)
  if (chance(0.01)) return finalCourt
  if (task && chance(0.7)) return pick([task.poster, task.worker ?? task.poster])
  return pick(users)
}

function chooseArgs(operation: string, world: World, task: Task | null, chance: Random): Args {
  const { below, pick } = chance
  const seldom = chance.chance(0.05)
  const missing = task ? task.total - task.funded : 0n
  const share = BigInt(pick([0, 10_000, 5_000, below(10_001), below(10_001)]))
  switch (operation) {
    case 'post':
      return choosePosting(toTaskTerms(world, 'OPEN', chance), chance)
    case 'create':
      return { terms: toTaskTerms(world, 'PRIVATE', chance), poster: pick(users), worker: pick(users), signed: !seldom }
    case 'fund':
      return { amount: pick([missing, missing, missing, missing / 2n, missing + 1n, 0n]) }
    case 'claim':
      return { digestMatches: !seldom, permitted: chance.chance(0.5) }
    case 'mutualCancel':
      return { workerBps: seldom ? 10_001n : share, signed: chance.chance(0.9) }
    case 'resolve':
    case 'decide':
      return {
        forWorker: chance.chance(0.5),
        hashGiven: !seldom,
        ...(task && chance.chance(0.05) && { number: task.dispute.number + 1 }),
      }
    case 'allowWorker':
      return { worker: pick(users) }
    case 'openDispute':
    case 'submitEvidence':
      return { shareBps: chooseShare(task, share, chance), hashGiven: !seldom }
    case 'markDelivered':
      return {
        receipt: pick(['none', 'none', 'valid', 'empty', 'short', 'forged']),
        hashGiven: !seldom,
        ...(task && seldom && { milestone: task.current + 1 }),
      }
    case 'propose':
      return { arbitrator: pick(wallets) }
    case 'topUp':
    case 'withdrawDeposit':
      return { amount: BigInt(below(40)) * usd }
    case 'register':
      return { amount: BigInt(pick([0, 9_999, 10_000, 10_000, 25_000, 60_001])) * tok }
    default:
      return { hashGiven: !seldom, ...(task && seldom && { milestone: task.current + 1 }) }
  }
}

function choosePosting(terms: Terms, { pick }: Random): Args {
  const total = terms.amounts.reduce((sum, amount) => sum + amount, 0n)
  return { terms, amount: pick([0n, 0n, total, total, total / 2n, total + 1n]) }
}

/** A share: the one that stands, the other side's, or any. */
function chooseShare(task: Task | null, any: bigint, { below, pick }: Random): bigint {
  if (task?.state !== 'DISPUTED') return any
  const { offerBps, askBps } = task.dispute
  const between = offerBps + ((askBps - offerBps) * BigInt(1 + below(9_999))) / 10_000n
  return pick([offerBps, askBps, any, ...Array.from({ length: 9 }, () => between)])
}

function toTaskTerms(world: World, scope: Terms['scope'], { below, pick, chance }: Random): Terms {
  const { params } = world
  const count = 1 + below(3)
  const between = (min: number, max: number) => min + below(max - min + 1)
  return {
    scope,
    claimPolicy: pick(['ANYONE', 'ANYONE', 'PERMIT']),
    amounts: Array.from(
      { length: count },
      () => BigInt(1 + below(2 ** 31)) * BigInt(1 + below(9)) * 10n ** 11n + 7n * tok,
    ),
    durations: Array.from({ length: count }, () => between(params.minDuration, params.minDuration * 4)),
    reviewWindow: between(params.minReviewWindow, params.minReviewWindow * 2),
    maxRevisions: below(3),
    claimDeadline: world.now + between(params.claimCutoff, params.maxClaimDeadline),
    arbitrator: chance(0.2) ? pick(wallets) : null,
    store: chance(0.4) ? pick(users) : null,
  }
}
