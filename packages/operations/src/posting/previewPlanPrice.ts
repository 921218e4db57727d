import * as z from 'zod'
import { tokPreviewJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { market, tier } from '../params.ts'

export const previewPlanPrice = defineCall('previewPlanPrice', {
  summary: 'Preview the price of a plan in TOK.',
  description: 'The price follows the oracle and may change with each block. Use the quote to pay.',
  tag: 'posting',
  chainCost: 6,
  input: z.object({ tier, market }),
  output: tokPreviewJson,
  errors: ['CHAIN_UNREACHABLE', 'PRICE_UNKNOWN'],
})
