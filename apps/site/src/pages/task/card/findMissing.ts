import type { OutputJson } from '@svc/operations'
import { accessFee, entryDeposit, exitDeposit } from '@svc/protocol'
import { actionCredit } from '@svc/protocol/internal/money'
import { text } from '../../../text/common.ts'
import { formatDollars, formatShort } from '../../../ui/Amount.tsx'
import type { Price } from '../../../usePrice.ts'
import type { Missing } from '../../../wallet/missing.ts'

/** What a purchase may cost above the price of the feed, in percent. */
const margin = 101n

/** Finds what a wallet has not got to claim with: TOK that it lacks is bought where there is a pool and a price. */
export function findMissing(
  wallet: Pick<OutputJson<'getWallet'>, 'tokWei' | 'usdcUnits' | 'creditsWei' | 'deposit'>,
  price: Price | null,
  canSwap: boolean,
): Missing | null {
  const lack = (need: bigint, have: string) => (need > BigInt(have) ? need - BigInt(have) : 0n)
  const hasCredit = BigInt(wallet.creditsWei) >= actionCredit
  const tokWei = lack(exitDeposit + (hasCredit ? 0n : accessFee), wallet.tokWei)
  const buys = canSwap && price !== null
  const costUnits = buys ? (tokWei * BigInt(Math.ceil(price.usdPerTok * 1e9)) * margin) / 10n ** 23n : 0n
  const usdcUnits = lack(lack(entryDeposit, wallet.deposit.freeUnits) + costUnits, wallet.usdcUnits)
  const lacksTok = tokWei > 0n && !buys
  if (usdcUnits === 0n && !lacksTok) return null
  const usd = usdcUnits > 0n ? [formatDollars(Math.ceil(Number(usdcUnits) / 1e6), 0)] : []
  const amount = [...usd, ...(lacksTok ? [formatShort(tokWei, 'tok')] : [])].join(text.and)
  return { usdcUnits, tokWei: lacksTok ? tokWei : 0n, amount }
}
