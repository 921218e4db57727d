import { type ChainProfile, getChainProfile, type Market, type SigningContext } from '@svc/protocol'
import type { ActionContracts } from '@svc/protocol/actions'
import type { Address } from 'viem'

type Shared = 'tokToken' | 'usdc'
type Addresses = Readonly<Record<string, Address>>

declare const __DEPLOYMENTS__: {
  chainId: number
  shared: Pick<ActionContracts, Shared> & Addresses
  markets: Record<Market, Omit<ActionContracts, Shared> & Addresses>
}

/** The chain this build is for. */
export const chainId = __DEPLOYMENTS__.chainId

/** Its name, its explorer, and what pages say about it. */
export const chainProfile: ChainProfile = getChainProfile(chainId)

/** The contracts of this build. Addresses from a server are compared with them. */
export const contracts: Readonly<Record<Market, ActionContracts & Addresses>> = {
  standard: { ...__DEPLOYMENTS__.shared, ...__DEPLOYMENTS__.markets.standard },
  micro: { ...__DEPLOYMENTS__.shared, ...__DEPLOYMENTS__.markets.micro },
}

/** Returns the signing context of a market. */
export const getSigningContext = (market: Market): SigningContext => ({
  chainId,
  market,
  taskRegistry: contracts[market].taskRegistry,
  asset: contracts[market].tokToken,
})
