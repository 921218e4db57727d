import type { MarketReader } from '@svc/chain'
import { type Market, postingPlans } from '@svc/protocol'
import type { QuotaJson } from '@svc/protocol/http'
import { awayError } from '@svc/serve'
import type { Address } from 'viem'
import type { Chain } from './chain.ts'
import type { Database } from './database.ts'
import { chainPosts, type Day, type DayPosts, indexedPosts, today } from './day.ts'
import { type KeptPayment, keptPayments, keptPosts } from './kept.ts'

/** How much a wallet may still post, and the day that holds for. */
export interface Quota {
  quota: QuotaJson
  day: Day
}

export interface QuotaDeps {
  database: Database
  chain: Chain
  /** Reads the chain where the index is behind or gone. */
  direct: MarketReader
  /** Whether the index of a market can be relied on now. */
  isNear: (market: Market) => boolean
}

/**
 * Counts, never stores: the posts that the index has, and the recorded ones above it whose block is on the chain. The index
 * is read before the records, so that a post which moves from one to the other meanwhile is seen twice rather than never.
 */
export async function readQuota(deps: QuotaDeps, market: Market, wallet: Address): Promise<Quota> {
  const { database, chain } = deps
  const indexed = deps.isNear(market) ? await database((sql) => indexedPosts(sql, market, wallet)) : null
  const { day, upTo, tasks } = indexed ?? (await readChain(deps, market, wallet))
  const recorded = await database((sql) => keptPosts(sql, market, wallet, { day, upTo, tasks }))
  const payments = await database((sql) =>
    keptPayments(sql, market, wallet, { now: day.now, indexedTo: indexed ? upTo : null }),
  )
  const used = new Set(tasks)
  for (const { task, block } of recorded) if (!used.has(task) && (await chain.has(block))) used.add(task)
  const { id: tier, dailyLimit: limit } = await planOf(payments, chain)
  return { quota: { tier, used: used.size, limit, canPost: used.size < limit }, day }
}

async function readChain({ database, direct }: QuotaDeps, market: Market, wallet: Address): Promise<DayPosts> {
  const day = await database(today)
  return chainPosts(direct, market, wallet, day).catch(() => {
    throw awayError('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
  })
}

/** The best plan that is paid for. */
async function planOf(payments: readonly KeptPayment[], chain: Chain) {
  for (const plan of postingPlans.toReversed()) {
    for (const { tier, indexed, block } of payments) {
      if (tier === plan.id && (indexed || (await chain.has(block)))) return plan
    }
  }
  return postingPlans[0]
}
