import {
  type CheckedProviders,
  createChainReader,
  createCheckedProviders,
  type Deployments,
  type FindTimeline,
  getMarketDeployment,
  type MarketDeployment,
  type MarketReader,
} from '@svc/chain'

/** The markets, read directly from the chain without any other service. */
export interface Markets {
  deployments: Deployments
  places: MarketDeployment
  /** Checked before they are first used. */
  providers: CheckedProviders
  reader: MarketReader
}

/**
 * Opens the markets with the given RPC providers. An API that says where the events of a task are lets old tasks be read; what the
 * events say is still read from the chain.
 */
export function openMarkets(
  urls: readonly string[],
  deployments: Deployments,
  findTimeline?: FindTimeline | undefined,
): Markets {
  const providers = createCheckedProviders({ urls, deployments })
  const places = getMarketDeployment(deployments)
  return { deployments, places, providers, reader: createChainReader(providers, places, { findTimeline }) }
}

/** The domain of the market, which `svc-work` signs in with; undefined if no API says it. */
export const listDomains = (apiUrl: string | undefined): string[] | undefined =>
  apiUrl ? [new URL(apiUrl).host] : undefined
