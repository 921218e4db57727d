import * as z from 'zod'
import { upgradeJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { address, market, payWith, tier, txHash } from '../params.ts'

export const upgradePlan = defineCall('upgradePlan', {
  summary: 'Verify the payment of a plan, and show the quota with it.',
  description:
    'The chain decides: the transaction must have bought this plan, for this wallet, in this market, with this token. A plan applies as soon as its payment is on the chain, submitted or not; submitting it again changes nothing. A payment that a reorg removes does not count until it is mined again.',
  tag: 'posting',
  input: z.object({ address, tier, txHash, payWith, market }),
  output: upgradeJson,
  errors: ['TX_NOT_FOUND', 'PAYMENT_TAKEN', 'TX_CONTRADICTS', 'DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
})
