import { atHead, type MarketPlaces, type Providers, simulateCalls } from '@svc/chain'
import type { Call } from '@svc/protocol/actions'
import type { RequestJson } from '@svc/protocol/http'
import type { Address } from 'viem'

/** What the chain would say to the calls of a request now: why, and the way out; null when it would not refuse them any more. */
export async function readRefusal(
  providers: Providers,
  { markets }: MarketPlaces,
  { market, from, calls }: RequestJson,
): Promise<{ message: string; wayOut: string } | null> {
  const { simulation } = await atHead(providers, async (provider, block) => ({
    simulation: await simulateCalls(provider, markets[market], {
      from: from as Address,
      calls: calls as readonly Call[],
      block,
    }),
  }))
  return simulation.status === 'refused' ? simulation.error : null
}
