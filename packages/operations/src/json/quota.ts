import { postingPlans } from '@svc/protocol'
import * as z from 'zod'
import { count } from './scalars.ts'

/** How much a wallet may still post today in one market. */
export const quotaJson = z
  .object({
    tier: z.enum(postingPlans.map(({ id }) => id)).describe('Active posting plan.'),
    used: count.describe('Posts of the wallet in this UTC day.'),
    limit: count.describe('Posts per UTC day that the plan allows.'),
    canPost: z.boolean().describe('True if another post is within the limit.'),
  })
  .describe('How much a wallet may still post today in one market.')

export type QuotaJson = z.infer<typeof quotaJson>
