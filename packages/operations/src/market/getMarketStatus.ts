import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { momentOrNull } from '../json/scalars.ts'
import { defineRead } from '../operation.ts'
import { market } from '../params.ts'

export const getMarketStatus = defineRead('getMarketStatus', {
  summary: 'Show whether one market takes new tasks and claims, and until when.',
  description:
    'The guardian can pause new tasks and claims, and the owner can announce their end. Running tasks go on under their rules: nothing stops a delivery, a payment, a dispute or a withdrawal.',
  tag: 'market',
  chainCost: 2,
  input: z.object({ market }),
  output: z.object({
    newTasks: z
      .enum(['open', 'paused', 'ended'])
      .describe('Whether new tasks and claims are accepted at the block of the answer.'),
    endsAt: momentOrNull.describe(
      'First second without new tasks and claims, for good, in unix seconds; null if no end is announced.',
    ),
    meta: metaJson,
  }),
})
