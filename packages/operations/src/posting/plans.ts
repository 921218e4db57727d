import * as z from 'zod'
import { quoteJson, tokPreviewJson, upgradeJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { address, market, payWith, tier, txHash } from '../params.ts'

export const previewPlanPrice = defineCall('previewPlanPrice', {
  summary: 'Preview the price of a plan in TOK.',
  description: 'The price follows the oracle and may change with each block. Use the quote to pay.',
  tag: 'posting',
  chainCost: 6,
  input: z.object({ tier, market }),
  output: tokPreviewJson,
  errors: ['CHAIN_UNREACHABLE', 'PRICE_UNKNOWN'],
})

export const quotePlan = defineCall('quotePlan', {
  summary: 'Quote the price of a plan, with the calls that buy it.',
  description: 'The contracts decide: they reject the purchase if the price has risen above the quote.',
  tag: 'posting',
  chainCost: 4,
  input: z.object({ address, tier, payWith: payWith.default('tok'), market }),
  output: quoteJson,
  errors: ['CHAIN_UNREACHABLE', 'PRICE_UNKNOWN'],
})

export const upgradePlan = defineCall('upgradePlan', {
  summary: 'Verify the payment of a plan, and show the quota with it.',
  description:
    'The chain decides: the transaction must have bought this plan, for this wallet, in this market, with this token. A plan applies as soon as its payment is on the chain, submitted or not; submitting it again changes nothing. A payment that a reorg removes does not count until it is mined again.',
  tag: 'posting',
  input: z.object({ address, tier, txHash, payWith, market }),
  output: upgradeJson,
  errors: ['TX_NOT_FOUND', 'PAYMENT_TAKEN', 'TX_CONTRADICTS', 'DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
})
