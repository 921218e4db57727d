import type { MarketAddresses } from '@svc/chain'
import type { PreparedJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { Call } from '@svc/protocol/actions'
import { computeTotals, decodeBatch, sumOf, type TotalFacts } from '@svc/protocol/internal/actions'

/** The three totals of the site's receipt, from the bytes that are signed. */
export function readReceiptTotals(
  prepared: Pick<PreparedJson, 'market' | 'calls' | 'from' | 'costs' | 'simulation' | 'swap'>,
  markets: Readonly<Record<Market, MarketAddresses>>,
  task: TotalFacts['task'],
) {
  const parts = decodeBatch(prepared.calls as readonly Call[], markets)
  if (!parts) throw new Error('The receipt cannot read these calls.')
  const totals = computeTotals(parts, { from: prepared.from, task, prepared })
  const sum = ({ items }: (typeof totals)['now']) => ({ tok: sumOf(items, 'tok'), usdc: sumOf(items, 'usdc') })
  return { ...totals, now: sum(totals.now), back: sum(totals.back), get: sum(totals.get) }
}

/** Sums what the receipt says that leaves the wallet. */
export function sumReceipt(...given: Parameters<typeof readReceiptTotals>) {
  const { now, isFromDeposit } = readReceiptTotals(...given)
  return isFromDeposit ? { tok: 0n, usdc: 0n } : now
}

/** What a wallet has less of. */
export const sumLoss = (was: Record<'tok' | 'usdc', bigint>, is: Record<'tok' | 'usdc', bigint>) => ({
  tok: was.tok > is.tok ? was.tok - is.tok : 0n,
  usdc: was.usdc > is.usdc ? was.usdc - is.usdc : 0n,
})
