import type { Deployments } from '@svc/chain'
import { marketNumber, toBytes } from '@svc/index'
import { type Market, type PaidPlan, planOfId } from '@svc/protocol'
import { HttpError } from '@svc/serve'
import type { Sql } from 'postgres'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Chain } from './chain.ts'
import { contradicts, eventsOf, type Proof, topicBytes } from './proof.ts'

/** What a client says of a payment. */
export interface PaymentClaim {
  market: Market
  address: Address
  tier: PaidPlan
  payWith: 'tok' | 'usdc'
  txHash: Hex
}

/** A log that paid for a plan. */
export interface Payment extends Proof {
  /** Unix seconds. */
  paidUntil: number
}

/** The logs that bear a claim out, at least one. Refuses with the first part that they do not. */
export async function provePayments(chain: Chain, places: Deployments, claim: PaymentClaim): Promise<Payment[]> {
  const { market, address, tier, payWith, txHash } = claim
  const mined = await chain.transaction(txHash)
  const all = eventsOf(mined, places.markets[market], 'paymentGateway.PlanPurchased')
  if (all.length === 0) throw contradicts('txHash', `The transaction bought no plan in the ${market} market.`)
  const own = all.filter(({ args }) => isAddressEqual(args.beneficiary, address))
  if (own.length === 0) throw new HttpError(409, 'PAYMENT_TAKEN', 'The payment was made for another wallet.')
  const ofTier = own.filter(({ args }) => planOfId(args.planId) === tier)
  if (ofTier.length === 0) throw contradicts('tier', 'Another plan was paid.')
  const asset = places.shared[payWith === 'tok' ? 'tokToken' : 'usdc']
  const paid = ofTier.filter(({ args }) => isAddressEqual(args.asset, asset))
  if (paid.length === 0) throw contradicts('payWith', 'The plan was paid with another token.')
  return paid.map(({ log, args }) => ({ market, block: mined.block, log, paidUntil: Number(args.paidUntil) }))
}

/** Keeps a payment: one log is one grant, whoever brings it and however often. */
export async function savePayment(
  sql: Sql,
  { market, block, log, paidUntil }: Payment,
  { address, tier }: PaymentClaim,
): Promise<void> {
  await sql`insert into posting.payment
      (market, block, hash, log_index, tx, topics, data, beneficiary, tier, paid_until)
    values (${marketNumber(market)}, ${String(block.number)}, ${toBytes(block.hash)}, ${log.logIndex},
      ${toBytes(log.transactionHash)}, ${topicBytes(log)}, ${toBytes(log.data)}, ${toBytes(address)}, ${tier}, ${paidUntil})
    on conflict do nothing`
}
