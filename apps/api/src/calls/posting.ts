import { operations, ServiceError } from '@svc/operations'
import { type Market, tokens } from '@svc/protocol'
import { type ActionContracts, actions, buildCalls, type Call } from '@svc/protocol/actions'
import type { PaidPlan } from '@svc/protocol/internal/money'
import { implementCalls } from '@svc/serve'
import { type Address, formatUnits, isAddressEqual, zeroAddress } from 'viem'
import { assertQuota } from '../posting/assertQuota.ts'
import { convertToUsd, formatTokPrice, readPrice, requirePaidPlan } from '../posting/price.ts'
import type { CallDeps } from './deps.ts'

const implement = implementCalls<CallDeps>()

/** How long a quoted price stays valid, in seconds. */
const quoteLifetime = 300

export const getQuota = implement(operations.getQuota)(async ({ address, market }, { posting }) => {
  const { quota, day } = await posting.quota(market, address)
  return { ...quota, market, address, resetsAt: day.end }
})

export const checkQuota = implement(operations.checkQuota)(async ({ address, market }, { posting, siteUrl }) => {
  const { quota, day } = await posting.quota(market, address)
  assertQuota({ quota, day }, { market, wallet: address, siteUrl })
  return { ...quota, market, address, resetsAt: day.end }
})

export const recordPost = implement(operations.recordPost)(async (post, { posting }) => {
  await posting.record(post)
  const { quota } = await posting.quota(post.task.market, post.address)
  return { recorded: true, quota }
})

export const quotePlan = implement(operations.quotePlan)(
  async ({ address, tier, payWith, market }, { deployments, reader, posting }) => {
    if (isAddressEqual(address, zeroAddress)) {
      throw new ServiceError('INVALID_ADDRESS', 'The zero address cannot have a plan.')
    }
    const plan = requirePaidPlan(tier)
    const [{ quote, block }, allowance] = await Promise.all([
      readPrice(reader, market, plan, payWith),
      posting.allowance(market, address, payWith),
    ])
    const contracts = { ...deployments.shared, ...deployments.markets[market] }
    return {
      tier: plan,
      market,
      address,
      payWith,
      listPriceUsdc: convertToUsd(quote.listPriceUsd),
      discountedUsd: convertToUsd(quote.payUsd),
      tokUsdPrice: payWith === 'tok' ? formatTokPrice(quote.tokUsdPrice) : null,
      amountUnits: String(quote.amount),
      asset: contracts[payWith === 'tok' ? 'tokToken' : 'usdc'],
      paymentGateway: contracts.paymentGateway,
      calls: buyPlanCalls(
        { market, tier: plan, beneficiary: address, payWith, maxAmount: quote.amount },
        contracts,
        allowance,
      ),
      expiresAt: block.timestamp + quoteLifetime,
    }
  },
)

export const previewPlanPrice = implement(operations.previewPlanPrice)(async ({ tier, market }, { reader }) => {
  const list = tier === 'free' ? null : (await readPrice(reader, market, tier, 'usdc')).quote
  if (tier === 'free' || !list?.tokAllowed) {
    const { price } = await reader.getTokPrice(market)
    const listPrice = convertToUsd(list?.listPriceUsd ?? 0n)
    const tokUsdPrice = formatTokPrice(price.usd ?? 0n)
    return { tier, listPriceUsdc: listPrice, discountedUsd: listPrice, tokUsdPrice, tokAmount: 0, tokAllowed: false }
  }
  const { quote } = await readPrice(reader, market, tier, 'tok')
  return {
    tier,
    listPriceUsdc: convertToUsd(quote.listPriceUsd),
    discountedUsd: convertToUsd(quote.payUsd),
    tokUsdPrice: formatTokPrice(quote.tokUsdPrice),
    tokAmount: Number(formatUnits(quote.amount, tokens.tok.decimals)),
    tokAllowed: true,
  }
})

export const upgradePlan = implement(operations.upgradePlan)(
  async ({ address, tier, txHash, payWith, market }, { posting }) => {
    const plan = requirePaidPlan(tier)
    const { paidUntil } = await posting.upgrade({ market, address, tier: plan, payWith, txHash })
    const { quota } = await posting.quota(market, address)
    return { upgraded: true, tier: plan, paidUntil, quota }
  },
)

interface Purchase {
  market: Market
  tier: PaidPlan
  beneficiary: Address
  payWith: 'tok' | 'usdc'
  maxAmount: bigint
}

/** The calls that a wallet signs to buy a plan for itself, given its current allowance. */
function buyPlanCalls(purchase: Purchase, contracts: ActionContracts, allowance: bigint): Call[] {
  const [tok, usdc] = purchase.payWith === 'tok' ? [allowance, 0n] : [0n, allowance]
  return buildCalls(actions['buy-plan'], purchase, {
    from: purchase.beneficiary,
    contracts,
    balances: { tokAllowance: tok, usdcAllowance: { depositVault: 0n, paymentGateway: usdc }, credits: 0n },
  })
}
