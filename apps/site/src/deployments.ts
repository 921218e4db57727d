import type { Market, SigningContext } from '@svc/protocol'
import type { ActionContracts } from '@svc/protocol/actions'
import type { Address } from 'viem'

declare const __DEPLOYMENTS__: {
  chainId: number
  shared: Record<string, Address>
  markets: Record<Market, Record<string, Address>>
}

/** The chain this build is for. */
export const chainId = __DEPLOYMENTS__.chainId

/** The contracts that this build was made with; what a server says is compared with them. */
export const contracts = Object.fromEntries(
  Object.entries(__DEPLOYMENTS__.markets).map(([market, own]) => [market, { ...__DEPLOYMENTS__.shared, ...own }]),
) as unknown as Readonly<Record<Market, ActionContracts & Readonly<Record<string, Address>>>>

/** What signatures of a market are bound to. */
export const signingContext = (market: Market): SigningContext => ({
  chainId,
  market,
  taskRegistry: contracts[market].taskRegistry,
  asset: contracts[market].tokToken,
})
