import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { amountText, count, momentOrNull } from '../json/scalars.ts'
import { medianJson } from '../json/trackRecord.ts'
import { defineCall } from '../operation.ts'
import { market } from '../params.ts'

const source = z.string().regex(/^\/api\/market\/events\?/)

export const getMarketNumbers = defineCall('getMarketNumbers', {
  summary: 'Show what was paid in one market lately, how long workers waited for it, and how many tasks were disputed.',
  description:
    'Counted over the newest events only: up to 100 payments, deliveries and disputes. `sources` are the pages of events that were counted, so that you can count again. A median says how many times it is of; with fewer than ten, do not call it typical.',
  tag: 'market',
  input: z.object({ market }),
  output: z.object({
    payments: count.describe('How many payments were counted.'),
    paidTokWei: amountText.describe('What they paid together, in TOK wei.'),
    since: momentOrNull.describe('When the oldest of them was made, in unix seconds; null if there is none.'),
    wait: medianJson.describe('Time from the last delivery before a payment to the payment.'),
    deliveredTasks: count.describe('How many tasks these deliveries are of.'),
    disputedTasks: count.describe('How many of those tasks were disputed.'),
    sources: z
      .object({
        payments: source.describe('Payments.'),
        deliveries: source.describe('Deliveries.'),
        disputes: source.describe('Disputes.'),
      })
      .describe('Paths of this API that list the events that were counted.'),
    meta: metaJson,
  }),
  errors: ['CHAIN_UNREACHABLE'],
})
