import { base, getChainProfile } from '@svc/protocol'
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

/** Describes a local chain. Not viem's `base`, which includes public endpoints and the fees of an OP chain. */
const createDevnetChain = (id: number) =>
  defineChain({
    id,
    name: 'Devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
    blockTime: getChainProfile(id).blockTimeMs,
    contracts: { multicall3: { address: multicall3 } },
  })

/** The local chain. Unless a test says otherwise, it has the id of the chain of production. */
export const devnetChain = createDevnetChain(base.id)

export type DevnetChain = ReturnType<typeof createDevnetChain>

/** A client for reads, writes and anvil's own methods. The account is an argument of each call. */
export type DevnetClient = Client<
  Transport,
  DevnetChain,
  undefined,
  undefined,
  TestActions & PublicActions<Transport, DevnetChain> & WalletActions<DevnetChain>
>

/** Creates a client for an anvil at `rpcUrl`. */
export function createDevnetClient(rpcUrl: string, chainId: number = base.id): DevnetClient {
  // A local node responds at once, so caching and slow polling would only add delay.
  return createTestClient({
    mode: 'anvil',
    chain: createDevnetChain(chainId),
    transport: http(rpcUrl, { timeout: 120_000, maxResponseBodySize: false }),
    cacheTime: 0,
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
}
