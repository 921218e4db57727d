import type { Deployments } from '@svc/chain'
import { marketNumber, toBytes } from '@svc/index'
import { ServiceError } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { decodePlanId, type PaidPlan } from '@svc/protocol/internal/money'
import type { Sql } from 'postgres'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Chain } from './chain.ts'
import { createContradictionError, decodeMatchingEvents, encodeTopics, type Proof } from './proof.ts'

/** A client's claim about a payment. */
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

/** Returns the logs that prove a claim, at least one. Rejects with the first field that does not match. */
export async function provePayments(chain: Chain, deployments: Deployments, claim: PaymentClaim): Promise<Payment[]> {
  const { market, address, tier, payWith, txHash } = claim
  const mined = await chain.transaction(txHash)
  const all = decodeMatchingEvents(mined, deployments.markets[market], 'paymentGateway.PlanPurchased')
  if (all.length === 0)
    throw createContradictionError('txHash', `The transaction bought no plan in the ${market} market.`)
  const payments = all.filter(({ args }) => isAddressEqual(args.beneficiary, address))
  if (payments.length === 0) throw new ServiceError('PAYMENT_TAKEN', 'The payment was made for another wallet.')
  const ofTier = payments.filter(({ args }) => decodePlanId(args.planId) === tier)
  if (ofTier.length === 0) throw createContradictionError('tier', 'The transaction paid for another plan.')
  const asset = deployments.shared[payWith === 'tok' ? 'tokToken' : 'usdc']
  const paid = ofTier.filter(({ args }) => isAddressEqual(args.asset, asset))
  if (paid.length === 0) throw createContradictionError('payWith', 'The plan was paid with another token.')
  return paid.map(({ log, args }) => ({ market, block: mined.block, log, paidUntil: Number(args.paidUntil) }))
}

/** Saves a payment. Idempotent: one log is one grant, no matter who reports it or how often. */
export async function savePayment(
  sql: Sql,
  { market, block, log, paidUntil }: Payment,
  { address, tier }: PaymentClaim,
): Promise<void> {
  await sql`insert into posting.payment
      (market, block, hash, log_index, tx, topics, data, beneficiary, tier, paid_until)
    values (${marketNumber(market)}, ${String(block.number)}, ${toBytes(block.hash)}, ${log.logIndex},
      ${toBytes(log.transactionHash)}, ${encodeTopics(log)}, ${toBytes(log.data)}, ${toBytes(address)}, ${tier}, ${paidUntil})
    on conflict do nothing`
}
