import type { OutputJson } from '@svc/operations'
import { accessFee, entryDeposit, exitDeposit } from '@svc/protocol'
import { actionCredit } from '@svc/protocol/internal/money'
import type { Price } from '../../../usePrice.ts'
import type { Missing } from '../../../wallet/AddMoney.tsx'

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
  const missing = {
    usdcUnits: lack(lack(entryDeposit, wallet.deposit.freeUnits) + costUnits, wallet.usdcUnits),
    tokWei: buys ? 0n : tokWei,
  }
  return missing.usdcUnits === 0n && missing.tokWei === 0n ? null : missing
}
