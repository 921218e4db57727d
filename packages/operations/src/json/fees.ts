import { fees, formatAmount, limits, receiptHeaders, taskScopes, taskStates } from '@svc/protocol'
import { actionList } from '@svc/protocol/actions'
import { describePrice, listPrices, type Price } from '@svc/protocol/internal/actions'
import { receiptLifetime } from '@svc/protocol/internal/money'
import { pauseRule } from '@svc/protocol/internal/tasks'
import * as z from 'zod'
import { amountText, count } from './scalars.ts'

/** What one way into, through or out of a task takes, locks, costs and returns. */
export const priceJson = z
  .object({
    action: z.enum(actionList.map(({ name }) => name)).describe('The action.'),
    side: z.enum(['poster', 'worker']).describe('Whose money it is.'),
    from: z.enum(taskStates).describe('State of the task before.'),
    when: z
      .nullable(z.string())
      .describe('Condition that chooses this price among those of the action; null without one.'),
    scope: z.nullable(z.enum(taskScopes)).describe('Scope of the task, where open and private tasks differ.'),
    requiredUsdc: amountText.describe('Deposit that must be free, in USDC units. It is not taken.'),
    feeTokWei: amountText.describe('Spent, in TOK wei, unless a whole Action Credit pays it.'),
    exitDepositTokWei: amountText.describe('Locked from the wallet, in TOK wei.'),
    stakeBps: count.describe('Locked from the wallet, in basis points of the milestone.'),
    reserveUsdc: amountText.describe('Reserved from the deposit, in USDC units.'),
    lostTokWei: amountText.describe('Lost of what was locked, in TOK wei.'),
    penaltyUsdc: amountText.describe('Lost of the deposit, in USDC units.'),
    returnedTokWei: amountText.describe('Unlocked: back in the wallet, in TOK wei.'),
    returnedUsdc: amountText.describe('No longer reserved, in USDC units.'),
    text: z.string().describe('The same in sentences, for that side.'),
  })
  .describe('What one way into, through or out of a task takes, locks, costs and returns.')

export type PriceJson = z.infer<typeof priceJson>

/** A price on the wire. */
export const formatPrice = (price: Price): PriceJson => ({
  action: price.action,
  side: price.side,
  from: price.from,
  when: price.when ?? null,
  scope: price.scope,
  requiredUsdc: String(price.requiredUsdc),
  feeTokWei: String(price.feeTokWei),
  exitDepositTokWei: String(price.exitDepositTokWei),
  stakeBps: Number(price.stakeBps),
  reserveUsdc: String(price.reserveUsdc),
  lostTokWei: String(price.lostTokWei),
  penaltyUsdc: String(price.penaltyUsdc),
  returnedTokWei: String(price.returnedTokWei),
  returnedUsdc: String(price.returnedUsdc),
  text: describePrice(price).join(' '),
})

/** The actions that take the access fee: "post-task, create-task or claim-task". */
const feeActions = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  new Set(listPrices().flatMap(({ action, feeTokWei }) => (feeTokWei > 0n ? [action] : []))),
)

/** What using a market costs: amounts in the smallest unit of their asset, and as text. */
export const feesJson = z.object({
  accessFeeTokWei: amountText.describe(`Fee for ${feeActions}, in TOK wei.`),
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
  prices: z.array(priceJson).describe('Every way into, through and out of a task that moves money of a side.'),
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
      accessFeeTokWei: `${formatAmount(accessFeeTokWei, 'tok')} for ${feeActions}`,
      accessFeeCreditWei: 'or one Action Credit instead',
      entryDepositUsdc: `${formatAmount(entryDepositUsdc, 'usdc')} deposited to post or claim`,
      recommendedDepositUsdc: `${formatAmount(recommendedDepositUsdc, 'usdc')} deposited are advised`,
      pauseThresholdUsdc: pauseRule,
    },
    prices: listPrices().map(formatPrice),
    freePostsPerDay: limits.freePostsPerDay,
    receiptSigner,
    receiptHeader: receiptHeaders[0],
    receiptLifetimeSeconds: receiptLifetime,
  }
}
