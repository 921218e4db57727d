import {
  type Client,
  createTestClient,
  defineChain,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type Transport,
  type WalletActions,
  walletActions,
} from 'viem'
import { multicall3 } from './addresses.ts'

/** The local chain. Not viem's `base`, which includes public endpoints and the fees of an OP chain. */
export const devnetChain = defineChain({
  id: 8453,
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
  blockTime: 200,
  contracts: { multicall3: { address: multicall3 } },
})

export type DevnetChain = typeof devnetChain

/** A client for reads, writes and anvil's own methods. The account is an argument of each call. */
export type DevnetClient = Client<
  Transport,
  DevnetChain,
  undefined,
  undefined,
  TestActions & PublicActions<Transport, DevnetChain> & WalletActions<DevnetChain>
>

/** Creates a client for an anvil at `rpcUrl`. */
export function createDevnetClient(rpcUrl: string): DevnetClient {
  // A local node responds at once, so caching and slow polling would only add delay.
  return createTestClient({
    mode: 'anvil',
    chain: devnetChain,
    transport: http(rpcUrl, { timeout: 120_000, maxResponseBodySize: false }),
    cacheTime: 0,
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
}
