import { formatAmount, type Token } from '@svc/protocol'
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

/** What an amount of TOK is worth in dollars, or nothing without a price. */
export function Usd({ of, lead = ' ≈ ' }: { of: bigint; lead?: string }) {
  const price = usePrice()
  if (!price) return null
  return (
    <span className="usd" title={price.says}>
      {lead}
      {formatUsd(of, price)}
    </span>
  )
}

/** Formats the dollars that an amount of TOK is worth. */
export function formatUsd(tokWei: bigint, { usdPerTok }: Price): string {
  const usd = (Number(tokWei / 10n ** 12n) / 1e6) * usdPerTok
  const digits = Math.abs(usd) >= 100 || Number.isInteger(usd) ? 0 : 2
  return new Intl.NumberFormat(navigator.language, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(usd)
}

/** Formats an amount without cents if they are zero. */
export const formatWhole = (amount: bigint, token: Token): string => formatAmount(amount, token).replace('.00 ', ' ')

/** Formats an amount with at most four significant decimals and its symbol. */
export function formatShort(amount: bigint, token: Token): string {
  const exact = formatAmount(amount, token)
  const [number = '', symbol = ''] = exact.split(' ')
  const [whole = '', decimals = ''] = number.split('.')
  if (decimals.length <= 4) return exact
  // Below one TOK the first digits count, above it the first decimals.
  const zeros = /^-?0$/.test(whole) ? (/^0*/.exec(decimals)?.[0].length ?? 0) : 0
  const cut = decimals.slice(0, zeros + 4).replace(/0+$/, '')
  return `${cut === '' ? whole : `${whole}.${cut}`} ${symbol}`
}
