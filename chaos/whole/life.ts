import { signingContext } from '@svc/chain'
import { buildTerms, type Market, marketParams, markets, type TermsDocument } from '@svc/protocol'
import { type LocalAccount, parseUnits } from 'viem'
import { createRandom, type Random } from '../sim/random.ts'
import type { PlannedChain } from './plannedChain.ts'

/** One task, from the plan to its end. What it is on the chain is looked up there, again after every reorganisation. */
export interface Life {
  index: number
  market: Market
  poster: LocalAccount
  /** Those who claim it: the first, and after that one left the other. A private task knows only the first. */
  workers: readonly [LocalAccount, LocalAccount]
  terms: TermsDocument
  isPrivate: boolean
  /** What is paid in when it is posted. */
  fundAmount: bigint
  /** How often it was looked at; those who are silent are so after `patience` times, or once the ten minutes are over. */
  looks: number
  patience: number
  /** Who does not answer any more then. */
  silent: { poster: boolean; worker: boolean; arbitrators: boolean }
  random: Random
  /** When it is looked at again, in unix seconds. */
  due: number
  /** Its number in its market; null while the chain has no such task. */
  number: bigint | null
  isOver: boolean
}

const hour = 3_600

/** A number that the seed chooses, of 96 bits. */
export const nonceOf = (random: Random) => BigInt(`0x${random.word().slice(0, 24)}`)

/** Draws the lives of a seed: everything about them that is decided before the first block. */
export function planLives(
  { head, deployments }: Pick<PlannedChain, 'head' | 'deployments'>,
  wallets: readonly LocalAccount[],
  { seed, tasks, seconds }: { seed: number; tasks: number; seconds: number },
): Life[] {
  const now = head().timestamp
  return Array.from({ length: tasks }, (_, index) => {
    const random = createRandom(seed, 1, index)
    const market = random.pick(markets)
    const params = marketParams[market]
    const [poster, worker, other] = draw(random, wallets, 3) as [LocalAccount, LocalAccount, LocalAccount]
    const isPrivate = random.chance(0.3)
    const count = 1 + random.below(random.pick([1, 2, 4]))
    const milestones = Array.from({ length: count }, (_, at) => ({
      title: `Part ${at + 1}`,
      amountTokWei: parseUnits(String(1 + random.below(5_000)), 18) + BigInt(random.below(1_000_000_000)),
      durationSeconds: params.minDuration * (1 + random.below(4)) + random.below(hour),
    }))
    const draft = {
      poster: poster.address,
      worker: isPrivate ? worker.address : null,
      title: `Task ${index} of seed ${seed}`,
      criteria: `Whatever word ${random.word()} asks for.`,
      milestones,
      claimDeadline: now + (market === 'standard' ? 24 : 8) * hour * (1 + random.below(3)),
      nonce: nonceOf(random),
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
      terms: buildTerms(draft, signingContext(deployments, market), now),
      isPrivate,
      fundAmount: random.pick([total, total, total, total / 2n, 0n]),
      silent: { poster: random.chance(0.3), worker: random.chance(0.15), arbitrators: random.chance(0.25) },
      looks: 0,
      patience: 1 + random.below(8),
      random,
      due: now + 1 + random.below(Math.floor(seconds * 0.75)),
      number: null,
      isOver: false,
    }
  })
}

/** Some of a list, each once. */
function draw<T>(random: Random, list: readonly T[], count: number): T[] {
  const left = [...list]
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] as T)
}
