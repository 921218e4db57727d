import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { buildTerms, type Market, marketParams, markets, type TermsDocument } from '@svc/protocol'
import { createRandom, type Random } from '@svc/simulation/random'
import { type LocalAccount, parseUnits } from 'viem'
import type { Deliveries } from './deliveries.ts'
import type { PlannedChain } from './plannedChain.ts'
import { listJudgeWallets } from './wallets.ts'

/** One task from its plan to its end. Its state is read from the chain, again after every reorganisation. */
export interface TaskRun {
  index: number
  market: Market
  poster: LocalAccount
  /** The first worker, and the one who claims after the first has left. A private task has only the first. */
  workers: readonly [LocalAccount, LocalAccount]
  terms: TermsDocument
  isPrivate: boolean
  /** The amount that is funded with the post. */
  fundAmount: bigint
  /** How often it was looked at. Silent parties stop acting after `patience` looks, or when the clock starts to jump. */
  looks: number
  patience: number
  /** The parties that stop acting. */
  silent: { poster: boolean; worker: boolean; arbitrators: boolean; court: boolean }
  random: Random
  /** When to look at it again, in unix seconds. */
  due: number
  /** Its number in its market; null while it is not on the chain. */
  number: bigint | null
  isOver: boolean
  /** What anyone may do on it is left to a keeper. Its wallets take part in no other run. */
  isKept: boolean
  /** Its worker delivers hashes that stand for nothing, and its poster notices. Only where the terms name a store. */
  deliversNothing: boolean
}

/** The key statements of posters, for terms with a store. Without them, no terms name one. */
type Statements = Deliveries['statements'] | null

const hour = 3_600

/** A 96-bit nonce from the seed. */
export const drawNonce = (random: Random) => BigInt(`0x${random.word().slice(0, 24)}`)

interface PlanOptions {
  seed: number
  tasks: number
  seconds: number
  statements: Statements
}

/** Draws the runs of a seed: everything that is decided before the first block. */
export function planTaskRuns(
  { head, deployments }: Pick<PlannedChain, 'head' | 'deployments'>,
  wallets: readonly LocalAccount[],
  { seed, tasks, seconds, statements }: PlanOptions,
): TaskRun[] {
  const now = head().timestamp
  return Array.from({ length: tasks }, (_, index) => {
    const random = createRandom(seed, 1, index)
    const market = random.pick(markets)
    const params = marketParams[market]
    const [poster, worker, other] = drawDistinct(random, wallets, 3) as [LocalAccount, LocalAccount, LocalAccount]
    const isPrivate = random.chance(0.3)
    const count = 1 + random.below(random.pick([1, 2, 4]))
    const milestones = Array.from({ length: count }, (_, at) => ({
      title: `Part ${at + 1}`,
      amountTokWei: parseUnits(String(1 + random.below(5_000)), 18) + BigInt(random.below(1_000_000_000)),
      durationSeconds: params.minDuration * (1 + random.below(4)) + random.below(hour),
    }))
    const judges = listJudgeWallets(wallets).filter((wallet) => wallet !== poster && wallet !== worker)
    const statement = statements?.get(poster.address)
    const hasStore = random.chance(0.3) && statement !== undefined
    const draft = {
      ...(random.chance(0.2) && { arbitrator: random.pick(judges).address }),
      ...(hasStore && { store: accounts.store.address, statement }),
      poster: poster.address,
      worker: isPrivate ? worker.address : null,
      title: `Task ${index} of seed ${seed}`,
      criteria: `Do what word ${random.word()} asks for.`,
      milestones,
      claimDeadline: now + (market === 'standard' ? 24 : 8) * hour * (1 + random.below(3)),
      nonce: drawNonce(random),
      reviewWindowSeconds: params.minReviewWindow * (1 + random.below(3)),
      maxRevisions: random.below(3),
      claimPolicy: !isPrivate && random.chance(0.2) ? ('PERMIT' as const) : ('ANYONE' as const),
    }
    const total = milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
    return {
      index,
      market,
      poster,
      workers: [worker, other],
      terms: buildTerms(draft, createSigningContext(deployments, market), now),
      isPrivate,
      fundAmount: random.pick([total, total, total, total / 2n, 0n]),
      silent: {
        poster: random.chance(0.3),
        worker: random.chance(0.15),
        arbitrators: random.chance(0.25),
        court: random.chance(0.2),
      },
      looks: 0,
      patience: 1 + random.below(8),
      random,
      due: now + 1 + random.below(Math.floor(seconds * 0.75)),
      number: null,
      isOver: false,
      isKept: false,
      deliversNothing: hasStore && random.chance(0.2),
    }
  })
}

/** The wallets of one run: a poster and two workers. */
export const walletsPerRun = 3

/** Draws runs that are left to a keeper: each has its own wallets, and its poster stops acting sooner or later. */
export function planKeptRuns(
  chain: Pick<PlannedChain, 'head' | 'deployments'>,
  wallets: readonly LocalAccount[],
  { seed, tasks, ...options }: PlanOptions,
): TaskRun[] {
  return Array.from({ length: wallets.length / walletsPerRun }, (_, index) => {
    const own = wallets.slice(index * walletsPerRun, (index + 1) * walletsPerRun)
    // Another seed than that of the other runs: two tasks must not have the same text.
    return planTaskRuns(chain, own, { seed: 1_000_000 + 1_000 * seed + index, tasks: 1, ...options })
  })
    .flat()
    .map((run, index) => ({ ...run, index: tasks + index, isKept: true, silent: { ...run.silent, poster: true } }))
}

/** Draws `count` different items of a list. */
function drawDistinct<T>(random: Random, list: readonly T[], count: number): T[] {
  const left = [...list]
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] as T)
}
