import { postingPlans } from '@svc/protocol'
import { market } from '@svc/protocol/internal/base'
import { paidPlans } from '@svc/protocol/internal/money'
import * as z from 'zod'
import { quotaJson } from './quota.ts'
import { addressText, amountText, moment } from './scalars.ts'

/** The quota of a wallet, and when the day ends. */
export const walletQuotaJson = quotaJson
  .extend({
    market: market.check(z.describe('Market that the quota is for.')),
    address: addressText.describe('Wallet that the quota is for.'),
    resetsAt: moment.describe('The next midnight UTC, in unix seconds.'),
  })
  .describe('How much a wallet may still post today in one market, and until when.')

/** A post that counts. */
export const recordJson = z.object({
  recorded: z.literal(true).describe('The post counts.'),
  quota: quotaJson.describe('The quota including this post.'),
})

/** A payment that counts. */
export const upgradeJson = z.object({
  upgraded: z.literal(true).describe('The payment is on the chain and counts.'),
  tier: z.enum(paidPlans).describe('Plan that was paid for; `quota` has the active one.'),
  paidUntil: moment.describe("End of the paid period in unix seconds, from the payment's event."),
  quota: quotaJson.describe('The quota under the active plan.'),
})

const usd = z.number().min(0)

/** What a plan costs in TOK. */
export const tokPreviewJson = z.object({
  tier: z.enum(postingPlans.map(({ id }) => id)).describe('The posting plan.'),
  listPriceUsdc: usd.describe('List price for 30 days, in USDC.'),
  discountedUsd: usd.describe('Price when paid in TOK, in USD.'),
  tokUsdPrice: usd.describe('Price of one TOK in USD; 0 if there is no price now.'),
  tokAmount: usd.describe("Price in whole TOK, rounded to a JSON number. To pay, use the quote's `amountUnits`."),
  tokAllowed: z.boolean().describe('True if the plan is sold for TOK.'),
})

/** The price of a plan and the calls that buy it. */
export const quoteJson = z.object({
  tier: z.enum(paidPlans).describe('Plan to buy.'),
  market: market.check(z.describe('Market that the plan is for.')),
  address: addressText.describe('Wallet that pays and gets the plan.'),
  payWith: z.enum(['tok', 'usdc']).describe('Token to pay with.'),
  listPriceUsdc: usd.describe('List price for 30 days, in USDC.'),
  discountedUsd: usd.describe('Price with this token, in USD.'),
  tokUsdPrice: z.nullable(usd).describe('Price of one TOK in USD; null when paid in USDC.'),
  amountUnits: amountText.describe('Amount to pay in the smallest unit of `asset`: TOK has 18 decimals, USDC has 6.'),
  asset: addressText.describe('Address of the token to pay with.'),
  paymentGateway: addressText.describe('Address of the contract that sells plans.'),
  calls: z
    .array(
      z.object({
        to: addressText.describe('Contract to call.'),
        value: z.literal('0x0').describe('Native currency to send: none.'),
        data: z
          .string()
          .regex(/^0x(?:[0-9a-f]{2})*$/)
          .describe('Calldata in hex.'),
      }),
    )
    .describe('Calls for `wallet_sendCalls`: an exact allowance if the present one is too small, then the purchase.'),
  expiresAt: moment.describe(
    'Ask for a new quote after this time (unix seconds): the chain rejects a price that has risen.',
  ),
})
