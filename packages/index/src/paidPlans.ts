import type { Market } from '@svc/protocol'
import { paymentGatewayAbi } from '@svc/protocol/abis'
import { encodePlanId, type PaidPlan, paidPlans } from '@svc/protocol/internal/money'
import type { Sql } from 'postgres'
import { type Address, decodeEventLog, getAbiItem, type Hex, pad, toEventSelector } from 'viem'
import { marketNumber } from './cursor.ts'
import { contractNumber } from './events.ts'
import { toPgArray } from './sql.ts'

/** Until when a plan is paid for, in unix seconds. */
export interface PaidPeriod {
  tier: PaidPlan
  paidUntil: number
}

const selector = toEventSelector(getAbiItem({ abi: paymentGatewayAbi, name: 'PlanPurchased' }))

/** Reads from the index until when each plan of a wallet is paid for. The last purchase of a plan has the sum of all of them. */
export async function readPaidPlans(sql: Sql, market: Market, wallet: Address): Promise<PaidPeriod[]> {
  const keys = paidPlans.map((plan) => `\\x${encodePlanId(plan).slice(2)}${pad(wallet).slice(2).toLowerCase()}`)
  // The selector is part of the text: with a parameter, Postgres could not tell that the partial index applies.
  const rows = await sql<{ tier: PaidPlan; topics: string; data: string }[]>`
    select plan.tier, encode(e.topics, 'hex') as topics, encode(e.data, 'hex') as data
    from unnest(${toPgArray(paidPlans)}::text[], ${toPgArray(keys)}::bytea[]) plan(tier, key), lateral (
      select topics, data from market.event where market = ${marketNumber(market)}
        and substring(topics for 32) = ${sql.unsafe(`'\\x${selector.slice(2)}'`)}
        and substring(topics from 33 for 64) = plan.key and contract = ${contractNumber('paymentGateway')}
      order by block desc, log_index desc limit 1) e`
  return rows.map(({ tier, topics, data }) => ({ tier, paidUntil: decodePaidUntil(topics, data) }))
}

function decodePaidUntil(topics: string, data: string): number {
  const [first = '0x', ...indexed] = (topics.match(/.{64}/g) ?? []).map((word): Hex => `0x${word}`)
  const { args } = decodeEventLog({
    abi: paymentGatewayAbi,
    eventName: 'PlanPurchased',
    topics: [first, ...indexed],
    data: `0x${data}`,
  })
  return Number(args.paidUntil)
}
