import { amountText, metaJson } from '@svc/protocol/http'
import { market, minBlock } from '@svc/serve'
import { z } from 'zod'
import { defineRead } from '../../read.ts'

/** GET /api/union/overview: one market's Union vault, no wallet's. */
export const unionOverview = defineRead({
  path: '/api/union/overview',
  summary: "Show one market's Union vault: launch gate, network stake, Action Credits and reward reserve.",
  tag: 'market',
  query: { market, minBlock },
  answer: z.object({
    source: z.literal('chain-rpc'),
    stakingActive: z.boolean(),
    totalStakedTok: amountText,
    totalCreditsIssued: amountText,
    creditsRemaining: amountText,
    creditIssuanceClosed: z.boolean(),
    rewardReserveTok: amountText,
    meta: metaJson,
  }),
  timed: true,
  marketOf: ({ market }) => market,
  async read({ market }, reader) {
    const { union, block } = await reader.getUnion(market)
    return {
      body: {
        source: 'chain-rpc',
        stakingActive: union.stakingActive,
        totalStakedTok: String(union.totalStaked),
        totalCreditsIssued: String(union.totalCreditsIssued),
        creditsRemaining: String(union.creditsRemaining),
        creditIssuanceClosed: union.creditIssuanceClosed,
        rewardReserveTok: String(union.rewardReserve),
      },
      block,
    }
  },
})
