import { describeQuotaRefusal, formatQuotaUse, type Market, type PostingQuota } from '@svc/protocol'
import { Link } from '../router.tsx'
import { Alert } from './Alert.tsx'

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
    <Alert>
      {describeQuotaRefusal(quota, { market, wallet }).error}{' '}
      <Link href={`/plans?market=${market}`}>Buy a plan to post more today</Link>. You can post again as soon as its
      purchase is on the chain.
    </Alert>
  )
}
