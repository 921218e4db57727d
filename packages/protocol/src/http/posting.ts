import * as z from 'zod/mini'
import { market } from '../market.ts'
import { paidPlans, postingPlans } from '../plans.ts'
import { quotaJson } from './quota.ts'
import { addressText, amountText, moment } from './scalars.ts'

/** The quota of a wallet, and when the day is over. */
export const walletQuotaJson = z.extend(quotaJson, {
  market,
  address: addressText,
  /** The next midnight UTC. */
  resetsAt: moment,
})

/** A post that counts. */
export const recordJson = z.object({ recorded: z.literal(true), quota: quotaJson })

/** A payment that counts. */
export const upgradeJson = z.object({
  upgraded: z.literal(true),
  /** The plan that was paid; the one in force is in `quota`. */
  tier: z.enum(paidPlans),
  /** The end of the paid time, as the payment's event has it. */
  paidUntil: moment,
  quota: quotaJson,
})

const usd = z.number().check(z.minimum(0))

/** What a plan costs in TOK. */
export const tokPreviewJson = z.object({
  tier: z.enum(postingPlans.map(({ id }) => id)),
  listPriceUsdc: usd,
  /** The list price less what is taken off for paying in TOK. */
  discountedUsd: usd,
  /** One TOK in USD; 0 where the plan is not sold for TOK. */
  tokUsdPrice: usd,
  /** In whole TOK, rounded to what a number can hold: pay by the quote's `amountWei`. */
  tokAmount: usd,
  tokAllowed: z.boolean(),
})

/** The price of a plan and the calls that buy it. */
export const quoteJson = z.object({
  tier: z.enum(paidPlans),
  market,
  address: addressText,
  payWith: z.enum(['tok', 'usdc']),
  listPriceUsdc: usd,
  discountedUsd: usd,
  /** One TOK in USD; null when paid in USDC. */
  tokUsdPrice: z.nullable(usd),
  /** In the smallest unit of the asset. */
  amountWei: amountText,
  /** The token that is paid. */
  asset: addressText,
  paymentGateway: addressText,
  /** Ready for `wallet_sendCalls`: an allowance of exactly the amount where it is missing, then the purchase. */
  calls: z.array(
    z.object({
      to: addressText,
      value: z.literal('0x0'),
      data: z.string().check(z.regex(/^0x(?:[0-9a-f]{2})*$/)),
    }),
  ),
  /** Ask again after this: the chain refuses a price that has risen. */
  expiresAt: moment,
})
