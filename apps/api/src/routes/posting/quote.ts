import { quoteJson } from '@svc/protocol/http'
import { address, HttpError, market } from '@svc/serve'
import { isAddressEqual, zeroAddress } from 'viem'
import { payWith, tier } from '../../params.ts'
import { buyPlanCalls } from '../../posting/buyPlanCalls.ts'
import { paidPlanOf, readPrice, tokPriceOf, usdOf } from '../../posting/price.ts'
import { defineCall } from '../../route.ts'

/** For so many seconds a price is worth signing. */
const lifetime = 300

/** GET /api/posting/quote: what a plan costs a wallet now, ready to sign. */
export const postingQuote = defineCall({
  method: 'get',
  path: '/api/posting/quote',
  summary: 'Quote the price of a plan, with the calls that buy it.',
  description: 'The contracts have the last word: they refuse when the price has risen above the quote.',
  tag: 'posting',
  input: { address, tier, payWith: payWith.default('tok'), market },
  answer: quoteJson,
  errors: { 503: ['CHAIN_UNREACHABLE', 'PRICE_UNKNOWN'] },
  async call({ address, tier, payWith, market }, { places, reader, posting }) {
    if (isAddressEqual(address, zeroAddress)) {
      throw new HttpError(400, 'INVALID_ADDRESS', 'The zero address is nobody: it cannot have a plan.')
    }
    const plan = paidPlanOf(tier)
    const [{ quote, block }, allowance] = await Promise.all([
      readPrice(reader, market, plan, payWith),
      posting.allowance(market, address, payWith),
    ])
    const contracts = { ...places.shared, ...places.markets[market] }
    return {
      tier: plan,
      market,
      address,
      payWith,
      listPriceUsdc: usdOf(quote.listPriceUsd),
      discountedUsd: usdOf(quote.payUsd),
      tokUsdPrice: payWith === 'tok' ? tokPriceOf(quote.tokUsdPrice) : null,
      amountWei: String(quote.amount),
      asset: contracts[payWith === 'tok' ? 'tokToken' : 'usdc'],
      paymentGateway: contracts.paymentGateway,
      calls: buyPlanCalls(
        { market, tier: plan, beneficiary: address, payWith, maxAmount: quote.amount },
        contracts,
        allowance,
      ),
      expiresAt: block.timestamp + lifetime,
    }
  },
})
