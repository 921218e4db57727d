import * as z from 'zod'
import { upgradeJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { address, market, payWith, tier, txHash } from '../params.ts'

export const upgradePlan = defineCall('upgradePlan', {
  summary: 'Apply a plan that a transaction has paid for.',
  description:
    'The chain decides: the transaction must have bought this plan, for this wallet, in this market, with this token. One payment is one grant, no matter who submits it and how often. A payment that a reorg removes does not count until it is mined and submitted again.',
  tag: 'posting',
  input: z.object({ address, tier, txHash, payWith, market }),
  output: upgradeJson,
  errors: ['TX_NOT_FOUND', 'PAYMENT_TAKEN', 'TX_CONTRADICTS', 'DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
})
