import { type ChainProfile, getChainProfile, type Market, type SigningContext } from '@svc/protocol'
import type { ActionContracts } from '@svc/protocol/actions'
import { findSwapPlace } from '@svc/protocol/internal/base'
import type { Address } from 'viem'

type Shared = 'tokToken' | 'usdc'
type Addresses = Readonly<Record<string, Address>>

declare const __DEPLOYMENTS__: {
  chainId: number
  shared: Pick<ActionContracts, Shared> & { usdOracle: Address; finalCourt?: Address } & Addresses
  markets: Record<Market, Omit<ActionContracts, Shared | 'swap'> & Addresses>
  swapPool?: { pool: Address; fee: number }
}

/** The chain this build is for. */
export const chainId = __DEPLOYMENTS__.chainId

/** Its name, its explorer, and what pages say about it. */
export const chainProfile: ChainProfile = getChainProfile(chainId)

/** The addresses of this build. Those from a server are compared with them. */
const addresses = {
  standard: { ...__DEPLOYMENTS__.shared, ...__DEPLOYMENTS__.markets.standard },
  micro: { ...__DEPLOYMENTS__.shared, ...__DEPLOYMENTS__.markets.micro },
}

/** The address of a contract of this build by its name; undefined for a name that it does not know. */
export const findAddress = (market: Market, name: string): Address | undefined =>
  Object.entries(addresses[market]).find(([each]) => each === name)?.[1]

const swap = findSwapPlace(__DEPLOYMENTS__)

/** The contracts of this build, and where TOK is traded. */
export const contracts: Readonly<Record<Market, ActionContracts & { readonly finalCourt?: Address }>> = {
  standard: { ...addresses.standard, ...(swap && { swap }) },
  micro: { ...addresses.micro, ...(swap && { swap }) },
}

/** Whether TOK that is missing can be bought. */
export const hasPool = swap !== null

/** The price feed of this build. */
export const { usdOracle } = __DEPLOYMENTS__.shared

/** Returns the signing context of a market. */
export const getSigningContext = (market: Market): SigningContext => ({
  chainId,
  market,
  taskRegistry: contracts[market].taskRegistry,
  asset: contracts[market].tokToken,
})
