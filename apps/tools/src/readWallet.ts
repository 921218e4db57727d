import { type At, atHead, getWallet, type MarketPlaces, type Providers, readPurse, type WalletRecord } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Purse } from '@svc/protocol/actions'
import type { Address } from 'viem'

/** What a wallet has in a market, what it allows, and what it has for gas. */
export interface WalletFacts extends WalletRecord {
  /** The chain that the provider is on. */
  chainId: number
  /** In wei. */
  eth: bigint
  gasPrice: bigint
  purse: Purse
}

/** Looks at a wallet at the newest block. */
export function readWallet(
  providers: Providers,
  places: MarketPlaces,
  market: Market,
  wallet: Address,
): Promise<At<WalletFacts>> {
  const contracts = places.markets[market]
  return atHead(providers, async (provider, block) => {
    const { client } = provider
    const [record, purse, chainId, eth, gasPrice] = await Promise.all([
      getWallet(provider, contracts, wallet, block),
      readPurse(provider, contracts, wallet, block),
      client.getChainId(),
      client.getBalance({ address: wallet, blockNumber: block.number }),
      client.getGasPrice(),
    ])
    return { ...record, purse, chainId, eth, gasPrice }
  })
}
