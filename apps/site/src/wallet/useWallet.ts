import { useConnection, useSwitchChain } from 'wagmi'
import { chainId } from '../deployments.ts'

/** The reader's wallet. Reading needs none. */
export function useWallet() {
  const { address, status, chainId: at, connector } = useConnection()
  const { mutateAsync: switchChain } = useSwitchChain()
  return {
    address: status === 'connected' ? address : undefined,
    name: connector?.name,
    isConnecting: status === 'connecting' || status === 'reconnecting',
    isElsewhere: status === 'connected' && at !== chainId,
    switchHere: () => switchChain({ chainId: chainId as 8453 }),
  }
}
