import * as z from 'zod/mini'
import { postingPlans } from '../plans.ts'
import { count } from './scalars.ts'

/** How much a wallet may still post today in one market. */
export const quotaJson = z.object({
  tier: z.enum(postingPlans.map(({ id }) => id)),
  used: count,
  limit: count,
  canPost: z.boolean(),
})

export type QuotaJson = z.infer<typeof quotaJson>
