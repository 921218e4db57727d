import { marketNumber, toBytes } from '@svc/index'
import type { Market, PaidPlan } from '@svc/protocol'
import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { DayPosts } from './day.ts'

interface Kept {
  block: { number: bigint; hash: Hex }
}

/** A recorded post above the block that the count of the day reached. */
export interface KeptPost extends Kept {
  task: string
}

/** A payment whose time is not over. */
export interface KeptPayment extends Kept {
  tier: PaidPlan
  /** The index has its log: the chain need not be asked. */
  indexed: boolean
}

/** Bounds what one wallet can have read at once. */
const maxKept = 1_000

/** Recorded posts of the day that the count cannot know of yet. */
export async function keptPosts(
  sql: Sql,
  market: Market,
  wallet: Address,
  { day, upTo }: DayPosts,
): Promise<KeptPost[]> {
  const rows = await sql<{ block: string; hash: Buffer; task: string }[]>`
    select block, hash, task from posting.post
    where market = ${marketNumber(market)} and poster = ${toBytes(wallet)}
      and posted_at >= ${day.start} and posted_at < ${day.end} and block > ${String(upTo)} limit ${maxKept}`
  return rows.map(({ task, ...place }) => ({ task, block: blockOf(place) }))
}

/** Payments in force, less those whose block the index has without their log. Without an index all are in question. */
export async function keptPayments(
  sql: Sql,
  market: Market,
  wallet: Address,
  { now, indexedTo }: { now: number; indexedTo: bigint | null },
): Promise<KeptPayment[]> {
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
    .map(({ tier, indexed, ...place }) => ({ tier, indexed, block: blockOf(place) }))
    .filter(({ indexed, block }) => indexed || indexedTo === null || block.number > indexedTo)
}

const blockOf = ({ block, hash }: { block: string; hash: Buffer }) => ({
  number: BigInt(block),
  hash: `0x${hash.toString('hex')}` as Hex,
})
