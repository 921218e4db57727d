import type { Market } from '@svc/protocol'
import type { Deployments, MarketContracts, SharedContracts } from './deployments.ts'

/** The contracts of one market that reads ask. */
export type MarketAddresses = Readonly<MarketContracts & Pick<SharedContracts, 'pricingPolicy' | 'tokToken' | 'usdc'>>

/** Where the markets stand, and the block before which they have no log. */
export interface MarketPlaces {
  startBlock: bigint
  markets: Readonly<Record<Market, MarketAddresses>>
}

/** The places that a deployments file names. */
export function marketPlaces({ startBlock, shared, markets }: Deployments): MarketPlaces {
  return {
    startBlock: BigInt(startBlock),
    markets: { standard: { ...shared, ...markets.standard }, micro: { ...shared, ...markets.micro } },
  }
}
