import { pricingPolicyAbi } from '@svc/protocol/abis'
import { encodePlanId, type PaidPlan } from '@svc/protocol/internal/money'
import { zeroAddress } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, PlanQuote } from '../reader.ts'

/**
 * Reads the price of a plan at a block. Throws a `ChainReadError` that is not retryable if the price is asked in TOK and there
 * is no oracle, or it has no valid price.
 */
export async function getPlanQuote(
  { client }: Provider,
  { pricingPolicy }: MarketAddresses,
  plan: PaidPlan,
  payWith: 'tok' | 'usdc',
  block: BlockRef,
): Promise<{ quote: PlanQuote }> {
  const policy = { address: pricingPolicy, abi: pricingPolicyAbi } as const
  const planId = encodePlanId(plan)
  const [quote, { tokAllowed }, usdOracle] = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    contracts: [
      { ...policy, functionName: 'quote', args: [planId, payWith === 'tok'] },
      { ...policy, functionName: 'planOf', args: [planId] },
      { ...policy, functionName: 'usdOracle' },
    ],
  })
  return { quote: { ...quote, tokAllowed: tokAllowed && usdOracle !== zeroAddress } }
}
