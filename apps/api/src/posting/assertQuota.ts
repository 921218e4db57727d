import { createQuotaError, type PreparedJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { describeUncheckedQuota, isCountedPost } from '@svc/protocol/internal/money'
import type { Address } from 'viem'
import { withTimeout } from '../withTimeout.ts'
import type { Posting } from './posting.ts'
import type { Quota } from './quota.ts'

/** Throws `QUOTA_REACHED`, with the way to a larger plan, if a wallet has used all its posts of today. */
export function assertQuota(
  { quota, day }: Quota,
  { market, wallet, siteUrl }: { market: Market; wallet: Address; siteUrl: string | undefined },
): void {
  if (quota.canPost) return
  const plansUrl = siteUrl && `${siteUrl.replace(/\/+$/, '')}/plans?market=${market}`
  throw createQuotaError(quota, { market, wallet, plansUrl, retryAfter: day.end - day.now })
}

/** How long a prepared post waits for its quota. */
const maxWaitMs = 2_000

/** Adds the quota to a prepared post, or a warning if it cannot be read now. Throws `QUOTA_REACHED` if the limit is reached. */
export async function addQuota(
  prepared: PreparedJson,
  { posting, siteUrl }: { posting: Posting; siteUrl: string | undefined },
): Promise<PreparedJson> {
  const { action, market, from } = prepared
  if (!isCountedPost(action)) return prepared
  const wallet = from as Address
  const found = await withTimeout(maxWaitMs, posting.quota(market, wallet)).catch(() => null)
  if (!found) return { ...prepared, warnings: [describeUncheckedQuota('it cannot be read now')] }
  assertQuota(found, { market, wallet, siteUrl })
  return { ...prepared, quota: found.quota }
}
