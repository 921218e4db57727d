import { market as marketName } from '@svc/protocol'
import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { tokPriceJson } from '../json/tokPrice.ts'
import { defineRead } from '../operation.ts'
import { market } from '../params.ts'

export const getTokPrice = defineRead('getTokPrice', {
  summary: 'Show what a TOK is worth in USD.',
  description:
    'Read from the oracle that prices posting plans, always from the chain. It is for display: no task, deposit or payment depends on it. Without a usable price the answer is the same, with nulls and the reason.',
  tag: 'market',
  chainCost: 3,
  input: z.object({ market }),
  output: z.object({
    market: marketName.check(z.describe('Market of the price.')),
    ...tokPriceJson.shape,
    meta: metaJson,
  }),
})
