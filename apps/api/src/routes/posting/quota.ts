import { walletQuotaJson } from '@svc/protocol/http'
import { address, market } from '@svc/serve'
import { defineCall } from '../../route.ts'

/** GET /api/posting/quota: how much a wallet may still post today. */
export const postingQuota = defineCall({
  method: 'get',
  path: '/api/posting/quota',
  summary: "Show a wallet's plan, and how many of today's posts it has used in one market.",
  description: 'A day is a UTC day. Posts are counted from the chain, whether they were recorded or not.',
  tag: 'posting',
  input: { address, market },
  answer: walletQuotaJson,
  errors: { 503: ['DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'] },
  async call({ address, market }, { posting }) {
    const { quota, day } = await posting.quota(market, address)
    return { ...quota, market, address, resetsAt: day.end }
  },
})
