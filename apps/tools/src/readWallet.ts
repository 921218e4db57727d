import {
  type At,
  getWallet,
  type MarketDeployment,
  type Providers,
  readAtHead,
  readWalletBalances,
  type WalletRecord,
} from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { WalletBalances } from '@svc/protocol/actions'
import type { Address } from 'viem'

/** A wallet in a market: its balances, its allowances, and its ETH for gas. */
export interface WalletFacts extends WalletRecord {
  /** The chain id of the provider. */
  chainId: number
  /** In wei. */
  eth: bigint
  gasPrice: bigint
  balances: WalletBalances
}

/** Reads a wallet at the latest block. */
export function readWallet(
  providers: Providers,
  places: MarketDeployment,
  market: Market,
  wallet: Address,
): Promise<At<WalletFacts>> {
  const contracts = places.markets[market]
  return readAtHead(providers, async (provider, block) => {
    const { client } = provider
    const [record, balances, chainId, eth, gasPrice] = await Promise.all([
      getWallet(provider, contracts, wallet, block),
      readWalletBalances(provider, contracts, wallet, block),
      client.getChainId(),
      client.getBalance({ address: wallet, blockNumber: block.number }),
      client.getGasPrice(),
    ])
    return { ...record, balances, chainId, eth, gasPrice }
  })
}
