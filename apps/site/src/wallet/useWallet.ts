import { buildAddChainParameter } from '@svc/protocol/internal/base'
import { useConnection, useSwitchChain } from 'wagmi'
import { chainId, chainProfile } from '../deployments.ts'

/** For a wallet that does not know the chain. */
const addEthereumChainParameter = buildAddChainParameter(chainProfile)

/** The wallet of the user. Reading works without one. */
export function useWallet() {
  const { address, status, chainId: at, connector } = useConnection()
  const { mutateAsync: switchChain } = useSwitchChain()
  return {
    address: status === 'connected' ? address : undefined,
    name: connector?.name,
    isConnecting: status === 'connecting' || status === 'reconnecting',
    isWrongChain: status === 'connected' && at !== chainId,
    switchToChain: () => switchChain({ chainId, ...(addEthereumChainParameter && { addEthereumChainParameter }) }),
  }
}
