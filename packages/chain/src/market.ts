import type { Market } from '@svc/protocol'
import type { Deployments, MarketContracts, SharedContracts } from './deployments.ts'

/** Addresses of the contracts that reads of one market use. */
export type MarketAddresses = Readonly<
  MarketContracts & Pick<SharedContracts, 'finalCourt' | 'pricingPolicy' | 'tokToken' | 'treasury' | 'usdc'>
>

/** Addresses of both markets, and the first block that can contain their logs. */
export interface MarketDeployment {
  startBlock: bigint
  markets: Readonly<Record<Market, MarketAddresses>>
}

/** Returns the addresses that a deployments file contains, per market. */
export function getMarketDeployment({ startBlock, shared, markets }: Deployments): MarketDeployment {
  return {
    startBlock: BigInt(startBlock),
    markets: { standard: { ...shared, ...markets.standard }, micro: { ...shared, ...markets.micro } },
  }
}
