import { marketNumber, type PaidPeriod, toBytes } from '@svc/index'
import type { Market } from '@svc/protocol'
import type { PaidPlan } from '@svc/protocol/internal/money'
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
export interface StoredPayment extends Stored, PaidPeriod {}

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

/** Reported payments that have not expired, above the last block of the index. */
export async function listStoredPayments(
  sql: Sql,
  market: Market,
  wallet: Address,
  { now, above }: { now: number; above: bigint },
): Promise<StoredPayment[]> {
  const rows = await sql<{ block: string; hash: Buffer; tier: PaidPlan; paid_until: string }[]>`
    select block, hash, tier, paid_until from posting.payment
    where market = ${marketNumber(market)} and beneficiary = ${toBytes(wallet)} and paid_until > ${now}
      and block > ${String(above)} order by paid_until desc limit ${maxKept}`
  return rows.map(({ tier, paid_until, ...place }) => ({
    tier,
    paidUntil: Number(paid_until),
    block: parseBlock(place),
  }))
}

const parseBlock = ({ block, hash }: { block: string; hash: Buffer }) => ({
  number: BigInt(block),
  hash: `0x${hash.toString('hex')}` as Hex,
})
