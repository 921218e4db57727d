import type { Market } from '../base/market.ts'
import { type PostingTier, paidPlans, postingPlans } from './plans.ts'

/** How many of today's posts a wallet has used in one market. */
export interface PostingQuota {
  tier: PostingTier
  used: number
  limit: number
  canPost: boolean
}

/** Whether an action uses the posting quota. Only open tasks count: a private task (`create-task`) is agreed on by its parties. */
export const isCountedPost = (action: string): boolean => action === 'post-task'

/**
 * Formats how much of the quota is used.
 *
 * @example
 * ```ts
 * formatQuotaUse({ used: 2, limit: 3 }) // '2 of 3 posts used today'
 * formatQuotaUse({ used: 7, limit: 3 }) // '7 posts today, 3 allowed': a plan ended, or the posts were sent without asking
 * ```
 */
export const formatQuotaUse = ({ used, limit }: Pick<PostingQuota, 'used' | 'limit'>): string =>
  used > limit ? `${used} posts today, ${limit} allowed` : `${used} of ${limit} posts used today`

/** A refused post in words: what happened, and how to post more. Every surface shows these. */
export interface QuotaRefusal {
  error: string
  hint: string
}

/**
 * Describes why a wallet cannot post any more today, and how it gets a larger plan: on the page of plans, if its URL is known, or
 * with a command.
 */
export function describeQuotaRefusal(
  quota: PostingQuota,
  { market, wallet, plansUrl }: { market: Market; wallet: string; plansUrl?: string | undefined },
): QuotaRefusal {
  const error = `The daily posting limit is reached: ${formatQuotaUse(quota)} on the ${quota.tier} plan.`
  const larger = paidPlans.find((plan) => getDailyLimit(plan) > quota.limit)
  if (!larger) return { error, hint: `${waitHint}.` }
  const command = `svc-prepare buy-plan --market ${market} --tier ${larger} --pay-with usdc --from ${wallet}`
  const page = plansUrl ? `at ${plansUrl} or ` : ''
  return { error, hint: `Buy a plan ${page}with "${command}". It applies at once. ${waitHint}.` }
}

const waitHint = 'The count starts again at midnight UTC'

const getDailyLimit = (plan: PostingTier): number => postingPlans.find(({ id }) => id === plan)?.dailyLimit ?? 0

/** Describes that the quota could not be checked, and why. The post may go on, because the contracts do not know the quota. */
export const describeUncheckedQuota = (reason: string): string =>
  `The posting quota could not be checked: ${reason}; the contracts decide.`
