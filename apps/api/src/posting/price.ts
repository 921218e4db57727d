import { type At, ChainReadError, type MarketReader, type PlanQuote } from '@svc/chain'
import { ServiceError, unavailable } from '@svc/operations'
import { type Market, tokens } from '@svc/protocol'
import { explainError, extractRevertData } from '@svc/protocol/errors'
import { type PaidPlan, type PostingTier, paidPlans } from '@svc/protocol/internal/money'
import { formatUnits } from 'viem'

/** Returns a tier that can be bought. Rejects the free one. */
export function requirePaidPlan(tier: PostingTier): PaidPlan {
  if (tier !== 'free') return tier
  throw new ServiceError('INVALID_TIER', `The free plan is not for sale: tier must be ${paidPlans.join(' or ')}.`, {
    hint: 'Every wallet has the free plan without paying.',
  })
}

/** Returns the current price of a plan. Throws with the reason if there is none. */
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
    const refusal = extractRevertData(error)
    if (!refusal) throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
    const { name, message } = explainError(refusal, { market })
    if (name === 'TokNotAllowed' || name === 'NoUsdOracle') {
      throw new ServiceError('INVALID_PAY_WITH', 'This plan is not sold for TOK: payWith must be usdc.')
    }
    // A stale price, a sequencer that just restarted, a plan that is not for sale: all temporary, but longer than a second.
    throw unavailable('PRICE_UNKNOWN', `The chain has no price now. ${message}`, 30)
  }
}

/** USDC units as a number of dollars. */
export const convertToUsd = (units: bigint): number => Number(formatUnits(units, tokens.usdc.decimals))

/** The oracle's price of a TOK as a number of dollars. */
export const formatTokPrice = (price: bigint): number => Number(formatUnits(price, 8))
