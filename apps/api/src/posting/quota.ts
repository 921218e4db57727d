import type { MarketReader } from '@svc/chain'
import { type QuotaJson, unavailable } from '@svc/operations'
import { type Market, postingPlans } from '@svc/protocol'
import type { Address } from 'viem'
import type { Chain } from './chain.ts'
import type { Database } from './database.ts'
import { type Day, type DayPosts, readChainPosts, readIndexedPosts, readToday } from './day.ts'
import { listStoredPayments, listStoredPosts, type StoredPayment } from './storedPosts.ts'

/** How much a wallet may still post, and for which day. */
export interface Quota {
  quota: QuotaJson
  day: Day
}

export interface QuotaDeps {
  database: Database
  chain: Chain
  /** Reads the chain while the index is behind or unavailable. */
  direct: MarketReader
  /** Whether a market's index is close enough to the chain to be used. */
  isNear: (market: Market) => boolean
}

/**
 * Counts on every call and stores nothing: the indexed posts, plus the recorded posts above the index whose block is on the
 * chain. Reads the index before the records, so that a post that gets indexed in between is counted twice rather than missed.
 */
export async function readQuota(deps: QuotaDeps, market: Market, wallet: Address): Promise<Quota> {
  const { database, chain } = deps
  const indexed = deps.isNear(market) ? await database((sql) => readIndexedPosts(sql, market, wallet)) : null
  const { day, upTo, tasks } = indexed ?? (await readChain(deps, market, wallet))
  const recorded = await database((sql) => listStoredPosts(sql, market, wallet, { day, upTo, tasks }))
  const payments = await database((sql) =>
    listStoredPayments(sql, market, wallet, { now: day.now, indexedTo: indexed ? upTo : null }),
  )
  const used = new Set(tasks)
  for (const { task, block } of recorded) if (!used.has(task) && (await chain.has(block))) used.add(task)
  const { id: tier, dailyLimit: limit } = await findActivePlan(payments, chain)
  return { quota: { tier, used: used.size, limit, canPost: used.size < limit }, day }
}

async function readChain({ database, direct }: QuotaDeps, market: Market, wallet: Address): Promise<DayPosts> {
  const day = await database(readToday)
  return readChainPosts(direct, market, wallet, day).catch(() => {
    throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
  })
}

/** The best plan that is currently paid for. */
async function findActivePlan(payments: readonly StoredPayment[], chain: Chain) {
  for (const plan of postingPlans.toReversed()) {
    for (const { tier, indexed, block } of payments) {
      if (tier === plan.id && (indexed || (await chain.has(block)))) return plan
    }
  }
  return postingPlans[0]
}
