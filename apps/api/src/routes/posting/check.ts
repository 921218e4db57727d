import { walletQuotaJson } from '@svc/protocol/http'
import { address, HttpError, market } from '@svc/serve'
import { defineCall } from '../../route.ts'

/** POST /api/posting/check: whether a wallet may post now. */
export const postingCheck = defineCall({
  method: 'post',
  path: '/api/posting/check',
  summary: 'Ask whether a wallet may post: its quota, or 429 when the daily limit is reached.',
  description: 'Advice only: it reserves nothing, since a stranger could lock a wallet out with it.',
  tag: 'posting',
  input: { address, market },
  answer: walletQuotaJson,
  errors: { 429: ['QUOTA_REACHED'], 503: ['DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'] },
  async call({ address, market }, { posting }) {
    const { quota, day } = await posting.quota(market, address)
    if (quota.canPost) return { ...quota, market, address, resetsAt: day.end }
    throw new HttpError(429, 'QUOTA_REACHED', `The daily posting limit of ${quota.limit} is reached.`, {
      quota,
      headers: { 'retry-after': String(day.end - day.now) },
    })
  },
})
