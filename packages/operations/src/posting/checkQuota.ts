import * as z from 'zod'
import { walletQuotaJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { address, market } from '../params.ts'

export const checkQuota = defineCall('checkQuota', {
  summary: 'Check whether a wallet may post: returns its quota, or 429 if the daily limit is reached.',
  description: 'It reserves nothing: otherwise a stranger could use up the quota of a wallet.',
  tag: 'posting',
  input: z.object({ address, market }),
  output: walletQuotaJson,
  errors: ['QUOTA_REACHED', 'DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
})
