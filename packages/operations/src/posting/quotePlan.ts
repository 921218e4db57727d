import * as z from 'zod'
import { quoteJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { address, market, payWith, tier } from '../params.ts'

export const quotePlan = defineCall('quotePlan', {
  summary: 'Quote the price of a plan, with the calls that buy it.',
  description: 'The contracts decide: they reject the purchase if the price has risen above the quote.',
  tag: 'posting',
  chainCost: 4,
  input: z.object({ address, tier, payWith: payWith.default('tok'), market }),
  output: quoteJson,
  errors: ['CHAIN_UNREACHABLE', 'PRICE_UNKNOWN'],
})
