import * as z from 'zod'
import { walletQuotaJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { address, market } from '../params.ts'

export const getQuota = defineCall('getQuota', {
  summary: "Show a wallet's plan, and how many of today's posts it has used in one market.",
  description:
    'Days are UTC days. Posts are counted from the chain, recorded or not, and a plan applies as soon as its payment is on the chain.',
  tag: 'posting',
  input: z.object({ address, market }),
  output: walletQuotaJson,
  errors: ['DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
})
