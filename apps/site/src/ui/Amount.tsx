import { formatAmount, type Token } from '@svc/protocol'
import { formatShortAmount } from '@svc/protocol/internal/money'
import { type Price, usePrice } from '../usePrice.ts'

interface AmountProps {
  of: string | bigint
  token?: Token
  /** Whether dollars stand beside it. USDC is worth its number, so it needs none. */
  usd?: boolean
}

/** An amount that people can read, with dollars beside TOK. The tooltip has the exact amount. */
export function Amount({ of, token = 'tok', usd = false }: AmountProps) {
  const amount = BigInt(of)
  return (
    <>
      <span className="amount" title={formatAmount(amount, token)}>
        {formatShort(amount, token)}
      </span>
      {usd && token === 'tok' && <Usd of={amount} />}
    </>
  )
}

/** An amount of TOK where there is room for one number: dollars if there is a price. The tooltip has the exact amount. */
export function Worth({ of }: { of: string | bigint }) {
  const price = usePrice()
  const amount = BigInt(of)
  return (
    <span className="amount" title={formatAmount(amount, 'tok')}>
      {price ? formatUsd(amount, price) : formatShort(amount, 'tok')}
    </span>
  )
}

/** What an amount of TOK is worth in dollars, or nothing without a price. */
export function Usd({ of, lead = ' ≈ ' }: { of: bigint; lead?: string }) {
  const price = usePrice()
  if (!price) return null
  return (
    <span className="usd" title={price.description}>
      {lead}
      {formatUsd(of, price)}
    </span>
  )
}

/** Formats the dollars that an amount of TOK is worth. */
export function formatUsd(tokWei: bigint, { usdPerTok }: Price): string {
  const usd = (Number(tokWei / 10n ** 12n) / 1e6) * usdPerTok
  return formatDollars(usd, Math.abs(usd) >= 100 || Number.isInteger(usd) ? 0 : 2)
}

/** Formats dollars with this many decimals, as the visitor's language writes them. */
export const formatDollars = (usd: number, digits: number): string =>
  new Intl.NumberFormat(navigator.language, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(usd)

/** Formats an amount with at most four significant decimals and its symbol. */
export const formatShort = (amount: bigint, token: Token): string => formatShortAmount(amount, token)
