import { createConfig, injected, unstable_connector } from 'wagmi'
import { base } from 'wagmi/chains'
import { chainId } from '../deployments.ts'

/** The chain as this build knows it, without anybody's public endpoints. */
const chain = { ...base, id: chainId as typeof base.id, rpcUrls: { default: { http: [] } } } as const

/**
 * Wallets that announce themselves (EIP-6963), or the one at `window.ethereum`. Everything about a transaction is asked of the
 * wallet itself, so that no third server learns what its owner does.
 */
export const wallets = createConfig({
  chains: [chain],
  connectors: [injected({ shimDisconnect: true })],
  multiInjectedProviderDiscovery: true,
  transports: { [chain.id]: unstable_connector(injected) },
})
