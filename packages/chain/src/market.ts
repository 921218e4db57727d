import type { Market } from '@svc/protocol'
import { findSwapPlace, type SwapPlace } from '@svc/protocol/internal/base'
import type { Deployments, MarketContracts, SharedContracts } from './deployments.ts'

/** Addresses of the contracts that reads of one market use. */
export type MarketAddresses = Readonly<
  MarketContracts & Pick<SharedContracts, 'finalCourt' | 'pricingPolicy' | 'tokToken' | 'treasury' | 'usdc'>
> & {
  /** Where TOK is bought and sold. Missing if the deployment names no pool. */
  readonly swap?: SwapPlace
}

/** Addresses of both markets, and the first block that can contain their logs. */
export interface MarketDeployment {
  startBlock: bigint
  markets: Readonly<Record<Market, MarketAddresses>>
}

/** Returns the addresses that a deployments file contains, per market. */
export function getMarketDeployment(deployments: Omit<Deployments, 'codeHashes'>): MarketDeployment {
  const { startBlock, shared, markets } = deployments
  const swap = findSwapPlace(deployments)
  const both = { ...shared, ...(swap && { swap }) }
  return {
    startBlock: BigInt(startBlock),
    markets: { standard: { ...both, ...markets.standard }, micro: { ...both, ...markets.micro } },
  }
}
