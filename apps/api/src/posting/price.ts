import { type At, ChainReadError, type MarketReader, type PlanQuote } from '@svc/chain'
import { type Market, type PaidPlan, type PostingTier, paidPlans, tokens } from '@svc/protocol'
import { explainError, revertData } from '@svc/protocol/errors'
import { awayError, HttpError } from '@svc/serve'
import { formatUnits } from 'viem'

/** The plan of a tier that can be bought. */
export function paidPlanOf(tier: PostingTier): PaidPlan {
  if (tier !== 'free') return tier
  throw new HttpError(400, 'INVALID_TIER', `The free plan is not for sale: tier must be ${paidPlans.join(' or ')}.`, {
    hint: 'Every wallet has the free plan without paying.',
  })
}

/** What a plan costs now, or why that cannot be said. */
export async function readPrice(
  reader: Pick<MarketReader, 'getPlanQuote'>,
  market: Market,
  plan: PaidPlan,
  payWith: 'tok' | 'usdc',
): Promise<At<{ quote: PlanQuote }>> {
  try {
    return await reader.getPlanQuote(market, plan, payWith)
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error
    const refusal = revertData(error)
    if (!refusal) throw awayError('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
    const { name, message } = explainError(refusal)
    if (name === 'TokNotAllowed') {
      throw new HttpError(400, 'INVALID_PAY_WITH', 'This plan is not sold for TOK: payWith must be usdc.')
    }
    // A price too old, the sequencer just back, a plan not for sale: all pass, none in a second.
    throw awayError('PRICE_UNKNOWN', `The chain gives no price now. ${message}`, 30)
  }
}

/** USDC units as a number of dollars. */
export const usdOf = (units: bigint): number => Number(formatUnits(units, tokens.usdc.decimals))

/** The oracle's price of a TOK as a number of dollars. */
export const tokPriceOf = (price: bigint): number => Number(formatUnits(price, 8))
