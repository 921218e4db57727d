import { upgradeJson } from '@svc/protocol/http'
import { address, market, txHash } from '@svc/serve'
import { payWith, tier } from '../../params.ts'
import { paidPlanOf } from '../../posting/price.ts'
import { defineCall } from '../../route.ts'

/** POST /api/posting/upgrade: a plan that was paid for. */
export const postingUpgrade = defineCall({
  method: 'post',
  path: '/api/posting/upgrade',
  summary: 'Apply a plan that a transaction has paid for.',
  description:
    'Only the chain is believed: the transaction must have bought this plan, for this wallet, in this market, with this token. One payment is one grant, whoever brings it and however often. A payment that a reorganisation takes off the chain is void until it is back and brought again.',
  tag: 'posting',
  input: { address, tier, txHash, payWith, market },
  answer: upgradeJson,
  errors: {
    409: ['TX_NOT_FOUND', 'PAYMENT_TAKEN'],
    422: ['TX_CONTRADICTS'],
    503: ['DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
  },
  async call({ address, tier, txHash, payWith, market }, { posting }) {
    const plan = paidPlanOf(tier)
    const { paidUntil } = await posting.upgrade({ market, address, tier: plan, payWith, txHash })
    const { quota } = await posting.quota(market, address)
    return { upgraded: true, tier: plan, paidUntil, quota }
  },
})
