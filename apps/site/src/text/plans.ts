import { formatQuotaUse } from '@svc/protocol/internal/money'

const formatPrice = (usd: number): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(usd) ? 0 : 2,
  }).format(usd)

/** Text of the page of posting plans. */
export const plansText = {
  title: 'Posting plans',
  description: 'How many open tasks you can post a day in this market. Private tasks do not count.',
  connect: 'Sign in to see your plan and buy a larger one.',
  names: { free: 'Free', basic: 'Basic', pro: 'Pro' },
  perDay: (count: number) => `${count} posts a day`,
  current: 'Your plan',
  used: (used: number, limit: number) => formatQuotaUse({ used, limit }),
  resets: 'The count starts again',
  free: 'Every wallet has it.',
  freePrice: '$0',
  price: (usd: number) => formatPrice(usd),
  period: 'for 30 days',
  withTok: (usd: number) => `${formatPrice(usd)} when paid in TOK`,
  buyTok: 'Pay with TOK',
  buyUsdc: 'Pay with USDC',
  atOnce: 'A plan applies as soon as its purchase is on the chain.',
  buyTitle: (plan: string, usd: number, token: string) =>
    `30 days of ${plan} for ${formatPrice(usd)}, paid in ${token}`,
} as const
