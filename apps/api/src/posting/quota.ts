import type { MarketReader } from '@svc/chain'
import { type PaidPeriod, readPaidPlans } from '@svc/index'
import { type QuotaJson, unavailable } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { Database } from '@svc/serve'
import type { Address } from 'viem'
import type { Chain } from './chain.ts'
import { type Day, type DayPosts, readChainPosts, readIndexedPosts, readToday } from './day.ts'
import { findActivePlan, type ReadChainPlans } from './plans.ts'
import { listStoredPayments, listStoredPosts } from './storedPosts.ts'

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
  readChainPlans: ReadChainPlans
}

/**
 * Counts on every call and stores nothing: the indexed posts, plus the recorded posts above the index whose block is on the
 * chain. Reads the index before the records, so that a post that gets indexed in between is counted twice rather than missed.
 * The plan is the one that the chain says is paid for; nobody has to report the payment.
 */
export async function readQuota(deps: QuotaDeps, market: Market, wallet: Address): Promise<Quota> {
  const { database, chain, readChainPlans } = deps
  const indexed = deps.isNear(market) ? await database((sql) => readIndexedPosts(sql, market, wallet)) : null
  const { day, upTo, tasks } = indexed ?? (await readChain(deps, market, wallet))
  const recorded = await database((sql) => listStoredPosts(sql, market, wallet, { day, upTo, tasks }))
  const used = new Set(tasks)
  for (const { task, block } of recorded) if (!used.has(task) && (await chain.has(block))) used.add(task)
  const describe = (periods: readonly PaidPeriod[]): Quota => {
    const { id: tier, dailyLimit: limit } = findActivePlan(periods, day.now)
    return { quota: { tier, used: used.size, limit, canPost: used.size < limit }, day }
  }

  if (!indexed) return describe(await readChainPlans(market, wallet))
  const periods = await readNearPlans(deps, market, wallet, indexed)
  const quota = describe(periods)
  if (quota.quota.canPost) return quota
  // Before a wallet is refused, its plan is read at the head: the index may be some blocks behind a purchase.
  const latest = await readChainPlans(market, wallet).catch(() => [])
  return describe([...periods, ...latest])
}

/** The plans in the index, and the reported payments above it whose block is on the chain. */
async function readNearPlans(
  { database, chain }: QuotaDeps,
  market: Market,
  wallet: Address,
  { day, upTo }: DayPosts,
): Promise<PaidPeriod[]> {
  const periods = await database((sql) => readPaidPlans(sql, market, wallet))
  const reported = await database((sql) => listStoredPayments(sql, market, wallet, { now: day.now, above: upTo }))
  for (const { block, ...period } of reported) if (await chain.has(block)) periods.push(period)
  return periods
}

async function readChain({ database, direct }: QuotaDeps, market: Market, wallet: Address): Promise<DayPosts> {
  const day = await database(readToday)
  return readChainPosts(direct, market, wallet, day).catch(() => {
    throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
  })
}
