import { type MarketDeployment, type Providers, readAtHead, simulateCalls } from '@svc/chain'
import type { RequestJson } from '@svc/operations'
import { type Call, computeCost } from '@svc/protocol/actions'
import { decodeBatch } from '@svc/protocol/internal/actions'
import type { Address } from 'viem'

/** Simulates the calls of a request now. Returns why they would fail and what to do; null if they would succeed. */
export async function readRefusal(
  providers: Providers,
  { markets }: MarketDeployment,
  { market, from, calls }: RequestJson,
): Promise<{ message: string; wayOut: string } | null> {
  const all = calls as readonly Call[]
  const parts = decodeBatch(all, markets) ?? []
  const costs = parts.map(({ action, input }) => computeCost(action, input, { from: from as Address }))
  const usdc = costs.reduce((sum, cost) => sum + cost.usdc, 0n)
  const last = costs.at(-1)
  const cost = last && { ...last, usdc }
  const { simulation } = await readAtHead(providers, async (provider, block) => ({
    simulation: await simulateCalls(provider, markets[market], {
      market,
      from: from as Address,
      calls: all,
      block,
      ...(cost && { cost }),
    }),
  }))
  return simulation.status === 'refused' ? simulation.error : null
}
