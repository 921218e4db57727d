import { tokens } from '@svc/protocol'
import { tokPreviewJson } from '@svc/protocol/http'
import { market } from '@svc/serve'
import { formatUnits } from 'viem'
import { tier } from '../../params.ts'
import { readPrice, tokPriceOf, usdOf } from '../../posting/price.ts'
import { defineCall } from '../../route.ts'

/** GET /api/posting/tok-preview: what a plan costs in TOK, for anybody. */
export const postingTokPreview = defineCall({
  method: 'get',
  path: '/api/posting/tok-preview',
  summary: 'Preview the price of a plan in TOK.',
  tag: 'posting',
  input: { tier, market },
  answer: tokPreviewJson,
  errors: { 503: ['CHAIN_UNREACHABLE', 'PRICE_UNKNOWN'] },
  async call({ tier, market }, { reader }) {
    const free = { tier, listPriceUsdc: 0, discountedUsd: 0, tokUsdPrice: 0, tokAmount: 0, tokAllowed: false }
    if (tier === 'free') return free
    const { quote: list } = await readPrice(reader, market, tier, 'usdc')
    const price = usdOf(list.listPriceUsd)
    if (!list.tokAllowed) return { ...free, listPriceUsdc: price, discountedUsd: price }
    const { quote } = await readPrice(reader, market, tier, 'tok')
    return {
      tier,
      listPriceUsdc: usdOf(quote.listPriceUsd),
      discountedUsd: usdOf(quote.payUsd),
      tokUsdPrice: tokPriceOf(quote.tokUsdPrice),
      tokAmount: Number(formatUnits(quote.amount, tokens.tok.decimals)),
      tokAllowed: true,
    }
  },
})
