import { createConfig, injected, unstable_connector } from 'wagmi'
import { base } from 'wagmi/chains'
import { chainId } from '../deployments.ts'
import { listOptionalConnectors } from './optionalConnectors.ts'

/** The chain of this build, without public RPC endpoints. */
const chain = { ...base, id: chainId as typeof base.id, rpcUrls: { default: { http: [] } } } as const

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
