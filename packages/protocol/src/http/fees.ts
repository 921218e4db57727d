import * as z from 'zod/mini'
import { fees, limits } from '../limits.ts'
import { receiptHeaders, receiptLifetime } from '../receipt.ts'
import { formatAmount } from '../units.ts'
import { amountText, count } from './scalars.ts'

const names = [
  'accessFeeTokWei',
  'accessFeeCreditWei',
  'entryDepositUsdc',
  'recommendedDepositUsdc',
  'pauseThresholdUsdc',
] as const

/** What using a market costs: amounts in the smallest unit of their asset, and as people read them. */
export const feesJson = z.object({
  /** Of a post, claim, dismissal or leave; a whole Action Credit pays it too. */
  accessFeeTokWei: amountText,
  accessFeeCreditWei: amountText,
  /** Deposits, in units of USDC. */
  entryDepositUsdc: amountText,
  recommendedDepositUsdc: amountText,
  pauseThresholdUsdc: amountText,
  words: z.record(z.enum(names), z.string()),
  freePostsPerDay: count,
  /** Who signs the readiness receipts of this gateway, as a DID. */
  receiptSigner: z.string(),
  receiptHeader: z.literal(receiptHeaders[0]),
  receiptLifetimeSeconds: count,
})

export type FeesJson = z.infer<typeof feesJson>

/** The fees on the wire. */
export function feesJsonOf(receiptSigner: string): FeesJson {
  const { accessFeeTokWei, accessFeeCreditWei, entryDepositUsdc, recommendedDepositUsdc, pauseThresholdUsdc } = fees
  return {
    accessFeeTokWei: String(accessFeeTokWei),
    accessFeeCreditWei: String(accessFeeCreditWei),
    entryDepositUsdc: String(entryDepositUsdc),
    recommendedDepositUsdc: String(recommendedDepositUsdc),
    pauseThresholdUsdc: String(pauseThresholdUsdc),
    words: {
      accessFeeTokWei: `${formatAmount(accessFeeTokWei, 'tok')} for each post, claim, dismissal or leave`,
      accessFeeCreditWei: 'or one Action Credit instead',
      entryDepositUsdc: `${formatAmount(entryDepositUsdc, 'usdc')} deposited to post or claim`,
      recommendedDepositUsdc: `${formatAmount(recommendedDepositUsdc, 'usdc')} deposited are advised`,
      pauseThresholdUsdc: `below ${formatAmount(pauseThresholdUsdc, 'usdc')} a wallet is paused`,
    },
    freePostsPerDay: limits.freePostsPerDay,
    receiptSigner,
    receiptHeader: receiptHeaders[0],
    receiptLifetimeSeconds: receiptLifetime,
  }
}
