import { createConfig, injected, unstable_connector } from 'wagmi'
import { chainId, chainProfile } from '../deployments.ts'
import { listOptionalConnectors } from './optionalConnectors.ts'

/** The chain of this build, without public RPC endpoints. viem's own definition carries 11 kB of formatters that the site never uses. */
const chain = {
  id: chainId,
  name: chainProfile.name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const

/**
 * Supports wallets that announce themselves (EIP-6963) and the one at `window.ethereum`. All requests go through the wallet, so no
 * third party learns what its owner does, unless the operator offers another wallet and the visitor chooses it.
 */
export const wagmiConfig = createConfig({
  chains: [chain],
  connectors: [injected({ shimDisconnect: true }), ...listOptionalConnectors()],
  multiInjectedProviderDiscovery: true,
  transports: { [chain.id]: unstable_connector(injected) },
})
