import {
  createChainReader,
  createProviders,
  createRpc,
  createViemChain,
  type Deployments,
  getMarketDeployment,
  type MarketDeployment,
  type MarketReader,
  type Providers,
} from '@svc/chain'

/** The markets, read directly from the chain without any other service. */
export interface Markets {
  deployments: Deployments
  places: MarketDeployment
  providers: Providers
  reader: MarketReader
}

/** Opens the markets with the given RPC providers. */
export function openMarkets(urls: readonly string[], deployments: Deployments): Markets {
  const rpcs = urls.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
  const providers = createProviders(rpcs, createViemChain(deployments.chainId))
  const places = getMarketDeployment(deployments)
  return { deployments, places, providers, reader: createChainReader(providers, places) }
}
