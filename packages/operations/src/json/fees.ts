import { fees, formatAmount, limits, pauseRule, receiptHeaders, receiptLifetime } from '@svc/protocol'
import * as z from 'zod'
import { amountText, count } from './scalars.ts'

/** What using a market costs: amounts in the smallest unit of their asset, and as text. */
export const feesJson = z.object({
  accessFeeTokWei: amountText.describe('Fee for a post, claim, dismissal or leave, in TOK wei.'),
  accessFeeCreditWei: amountText.describe(
    'The same fee paid in Action Credits, in wei (18 decimals): one whole credit.',
  ),
  entryDepositUsdc: amountText.describe('Deposit needed to post or claim, in USDC units (6 decimals).'),
  recommendedDepositUsdc: amountText.describe('Recommended deposit, in USDC units (6 decimals).'),
  pauseThresholdUsdc: amountText.describe(`The threshold in USDC units (6 decimals). ${pauseRule}`),
  words: z
    .object({
      accessFeeTokWei: z.string().describe('The access fee in TOK.'),
      accessFeeCreditWei: z.string().describe('The access fee in Action Credits.'),
      entryDepositUsdc: z.string().describe('The deposit needed to post or claim.'),
      recommendedDepositUsdc: z.string().describe('The recommended deposit.'),
      pauseThresholdUsdc: z.string().describe('What pauses below which deposit.'),
    })
    .describe('Each amount above, for display.'),
  freePostsPerDay: count.describe('Posts per UTC day on the free plan.'),
  receiptSigner: z.string().describe('Signer of the readiness receipts of this gateway, as a DID.'),
  receiptHeader: z.literal(receiptHeaders[0]).describe('Request header that carries the receipt.'),
  receiptLifetimeSeconds: count.describe('How long a receipt is valid, in seconds.'),
})

export type FeesJson = z.infer<typeof feesJson>

/** The fees on the wire. */
export function formatFees(receiptSigner: string): FeesJson {
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
      pauseThresholdUsdc: pauseRule,
    },
    freePostsPerDay: limits.freePostsPerDay,
    receiptSigner,
    receiptHeader: receiptHeaders[0],
    receiptLifetimeSeconds: receiptLifetime,
  }
}
