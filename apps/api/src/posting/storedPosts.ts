import { marketNumber, toBytes } from '@svc/index'
import type { Market, PaidPlan } from '@svc/protocol'
import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { DayPosts } from './day.ts'

interface Stored {
  block: { number: bigint; hash: Hex }
}

/** A recorded post above the last block of the daily count. */
export interface StoredPost extends Stored {
  task: string
}

/** A payment that has not expired. */
export interface StoredPayment extends Stored {
  tier: PaidPlan
  /** The index has its log, so the chain need not be asked. */
  indexed: boolean
}

/** Bounds how many rows one wallet can make a request read. */
const maxKept = 1_000

/** Recorded posts of today that the count does not include yet. */
export async function listStoredPosts(
  sql: Sql,
  market: Market,
  wallet: Address,
  { day, upTo }: DayPosts,
): Promise<StoredPost[]> {
  const rows = await sql<{ block: string; hash: Buffer; task: string }[]>`
    select block, hash, task from posting.post
    where market = ${marketNumber(market)} and poster = ${toBytes(wallet)}
      and posted_at >= ${day.start} and posted_at < ${day.end} and block > ${String(upTo)} limit ${maxKept}`
  return rows.map(({ task, ...place }) => ({ task, block: parseBlock(place) }))
}

/** Payments in force, without those whose block is indexed but whose log is not. Without an index, all need a check on the chain. */
export async function listStoredPayments(
  sql: Sql,
  market: Market,
  wallet: Address,
  { now, indexedTo }: { now: number; indexedTo: bigint | null },
): Promise<StoredPayment[]> {
  const indexed =
    indexedTo === null
      ? sql`false`
      : sql`exists (select from market.event e where (e.market, e.block, e.log_index) = (p.market, p.block, p.log_index)
          and e.tx = p.tx and e.topics = p.topics and e.data = p.data)`
  const rows = await sql<{ block: string; hash: Buffer; tier: PaidPlan; indexed: boolean }[]>`
    select block, hash, tier, ${indexed} as indexed from posting.payment p
    where market = ${marketNumber(market)} and beneficiary = ${toBytes(wallet)} and paid_until > ${now}
    order by paid_until desc limit ${maxKept}`
  return rows
    .map(({ tier, indexed, ...place }) => ({ tier, indexed, block: parseBlock(place) }))
    .filter(({ indexed, block }) => indexed || indexedTo === null || block.number > indexedTo)
}

const parseBlock = ({ block, hash }: { block: string; hash: Buffer }) => ({
  number: BigInt(block),
  hash: `0x${hash.toString('hex')}` as Hex,
})
