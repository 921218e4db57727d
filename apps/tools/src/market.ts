import {
  chainOf,
  createChainReader,
  createProviders,
  createRpc,
  type Deployments,
  type MarketPlaces,
  type MarketReader,
  marketPlaces,
  type Providers,
} from '@svc/chain'

/** The markets as the tools see them: read straight from the chain, with no server of ours in between. */
export interface Markets {
  deployments: Deployments
  places: MarketPlaces
  providers: Providers
  reader: MarketReader
}

/** Opens the markets over the chain's providers. */
export function openMarkets(urls: readonly string[], deployments: Deployments): Markets {
  const rpcs = urls.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
  const providers = createProviders(rpcs, chainOf(deployments.chainId))
  const places = marketPlaces(deployments)
  return { deployments, places, providers, reader: createChainReader(providers, places) }
}
