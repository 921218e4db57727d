import type { Market } from '@svc/protocol'
import { describeQuotaRefusal, formatQuotaUse, type PostingQuota } from '@svc/protocol/internal/money'
import { Link } from '../router.tsx'

interface QuotaNoticeProps {
  quota: PostingQuota
  market: Market
  wallet: string
}

/** How many posts are used today; at the limit, the refusal with the way to a larger plan. */
export function QuotaNotice({ quota, market, wallet }: QuotaNoticeProps) {
  if (quota.canPost) {
    return (
      <p className="hint">
        {formatQuotaUse(quota)} on the {quota.tier} plan.
      </p>
    )
  }
  return (
    <p className="problem" role="alert">
      {describeQuotaRefusal(quota, { market, wallet }).error}{' '}
      <Link href={`/plans?market=${market}`}>Buy a plan to post more today</Link>. You can post again as soon as its
      purchase is on the chain.
    </p>
  )
}
