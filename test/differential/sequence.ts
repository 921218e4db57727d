import { type Hex, keccak256, toHex, zeroHash } from 'viem'
import { createRandom, type Random } from '../../chaos/sim/random.ts'
import { bondAge } from '../../packages/protocol/src/amounts.ts'
import { disputes } from '../../packages/protocol/src/disputes.ts'
import { lifecycle } from '../../packages/protocol/src/lifecycle.ts'
import type { Market } from '../../packages/protocol/src/market.ts'
import { marketParams } from '../../packages/protocol/src/params.ts'
import { liveStates } from '../../packages/protocol/src/states.ts'
import { type DrawWeights, listDrawWeights, selectJudge } from '../model/draw.ts'
import type { Args, Call } from '../model/facts.ts'
import { step } from '../model/step.ts'
import { tables } from '../model/tables.ts'
import { finalCourt, newWorld, type Task, type Terms, type World } from '../model/world.ts'
import { type Likely, likely } from './likely.ts'
import { judges, users, wallets } from './wallets.ts'

/** One call and the model's result. */
export interface Step {
  call: Call
  /** The hash of the block that decides a draw. */
  hash: Hex
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
  const draws = new Map<number, DrawWeights>()
  const steps: Step[] = []
  const bench = judges.slice(0, chance.pick([0, 1, 3, 6, judges.length])).map(registration)
  while (steps.length < length) {
    // After a refused call, time is more likely to pass, and disputes mostly wait.
    const isDisputed = world.tasks.some((task) => task?.state === 'DISPUTED')
    world = pass(world, chance, steps.at(-1)?.error ? 0.5 : isDisputed ? 0.35 : 0.1)
    const isRegistering = bench.length > 0
    const next = bench.shift() ?? choose(world, chance, draws)
    const outcome = run(world, next.call)
    if (!('error' in outcome)) {
      note(world, outcome.world, next.call, draws)
      world = outcome.world
    }
    steps.push({ ...next, error: 'error' in outcome ? outcome.error : null, world })
    // Only an old bond is drawn.
    if (isRegistering && bench.length === 0 && chance.chance(0.8)) world = { ...world, now: world.now + bondAge }
  }
  return { market, steps }
}

function firstWorld(market: Market): World {
  const funds = { tok: 60_000n * tok, usdc: 60n * usd, deposit: 60n * usd }
  return newWorld(marketParams[market], startTime, Object.fromEntries(wallets.map((wallet) => [wallet, funds])))
}

const registration = (judge: string) => ({
  call: { operation: 'register', caller: judge, args: { amount: 12_000n * tok } },
  hash: zeroHash,
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
  const review = reviewEnd ? [reviewEnd, reviewEnd + terms.reviewWindow] : []
  return [...claim, ...claimed, deadline, ...review, consentEnd, evidenceEnd, rulingEnd, appealEnd, courtEnd]
}

/** Chooses a call: mostly one that advances a live task, sometimes any call. */
function choose(world: World, chance: Random, draws: ReadonlyMap<number, DrawWeights>): { call: Call; hash: Hex } {
  const { below, pick } = chance
  if (world.entriesPaused && chance.chance(0.5)) return callOn(0, { operation: 'unpauseEntries' }, world, chance, draws)
  if (chance.chance(0.2)) {
    return callOn(1 + below(world.tasks.length), { operation: pick(operations) }, world, chance, draws)
  }
  const live = world.tasks.flatMap((task, id) => (task && isLive(task) ? [id] : []))
  const another = live.length === 0 || (live.length < maxLive && chance.chance(0.1))
  const taskId = another ? 0 : pick(live)
  const next = () => callOn(taskId, pick(likely(world.tasks[taskId] ?? null, chance)), world, chance, draws)
  let call = next()
  for (let tries = 0; tries < 4 && 'error' in run(world, call.call); tries++) call = next()
  return call
}

function callOn(
  taskId: number,
  { operation, caller, args: given }: Likely,
  world: World,
  chance: Random,
  draws: ReadonlyMap<number, DrawWeights>,
): { call: Call; hash: Hex } {
  // The chain forgets old hashes, so now and then there is none.
  const hash = chance.chance(0.1) ? zeroHash : keccak256(toHex(chance.below(2 ** 31)))
  const task = world.tasks[taskId] ?? null
  const args = { ...chooseArgs(operation, world, task, chance), ...given }
  if (operation === 'seat' && task)
    Object.assign(args, chooseDraw(world, task, taskId, draws.get(taskId), hash, chance))
  const call = { operation, caller: caller ?? chooseCaller(operation, task, chance), args }
  return { call: taskless.includes(operation) ? call : { ...call, taskId }, hash }
}

function chooseDraw(
  world: World,
  task: Task,
  taskId: number,
  weights: DrawWeights | undefined,
  hash: Hex,
  { chance }: Random,
): Pick<Args, 'draw' | 'drawn'> {
  if (!weights) return { draw: 'unfixed' }
  if (chance(0.1)) return { draw: 'pending' }
  return { draw: 'known', drawn: hash === zeroHash ? null : selectJudge(world, task, BigInt(taskId), weights, hash) }
}

/** Operations that name no task. */
const taskless = ['post', 'create', ...deposits, ...bonds, 'pauseEntries', 'unpauseEntries']

function chooseCaller(operation: string, task: Task | null, { chance, pick }: Random): string {
  if (bonds.includes(operation)) return pick(wallets)
  if (operation === 'claim') return pick(users)
  if (task && operation === 'resolve' && chance(0.9)) return task.dispute.judge ?? pick(judges)
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
      return { forWorker: chance.chance(0.5), unfounded: chance.chance(0.3), hashGiven: !seldom }
    case 'openDispute':
    case 'submitEvidence':
      return { shareBps: chooseShare(task, share, chance), hashGiven: !seldom }
    case 'markDelivered':
    case 'attachReceipt':
      return {
        receipt: pick(['none', 'none', 'valid', 'short', 'forged']),
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

/** Remembers the bonds of a scheduled draw until it is decided. */
function note(before: World, after: World, { operation, taskId, args }: Call, draws: Map<number, DrawWeights>): void {
  if (operation === 'seat' && taskId && args?.draw === 'unfixed') draws.set(taskId, listDrawWeights(before))
  for (const id of draws.keys()) {
    if (after.tasks[id]?.dispute.phase !== 'OPEN') draws.delete(id)
  }
}
