import { type PaidPlan, planIdOf } from '@svc/protocol'
import { pricingPolicyAbi } from '@svc/protocol/abis'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, PlanQuote } from '../reader.ts'

/** What a plan costs at a block. A price that the oracle does not give is a `ChainReadError` that is not retryable. */
export async function getPlanQuote(
  { client }: Provider,
  { pricingPolicy }: MarketAddresses,
  plan: PaidPlan,
  payWith: 'tok' | 'usdc',
  block: BlockRef,
): Promise<{ quote: PlanQuote }> {
  const policy = { address: pricingPolicy, abi: pricingPolicyAbi } as const
  const planId = planIdOf(plan)
  const [quote, { tokAllowed }] = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    contracts: [
      { ...policy, functionName: 'quote', args: [planId, payWith === 'tok'] },
      { ...policy, functionName: 'planOf', args: [planId] },
    ],
  })
  return { quote: { ...quote, tokAllowed } }
}
