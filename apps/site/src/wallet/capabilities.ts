import { useQuery } from '@tanstack/react-query'
import { numberToHex } from 'viem'
import { useConnection } from 'wagmi'
import { chainId } from '../deployments.ts'
import { paymasterUrl } from './paymaster.ts'
import type { WalletProvider } from './provider.ts'

/** What a wallet can do besides sending single transactions (EIP-5792). */
export interface Capabilities {
  /** Sends several calls with one confirmation. */
  canBatch: boolean
  /** Lets the paymaster of this site pay the network fee (ERC-7677). */
  canSponsor: boolean
}

const none: Capabilities = { canBatch: false, canSponsor: false }

/** Asks a wallet what it can do. A wallet that does not know the question can only send single transactions. */
export async function readCapabilities(provider: WalletProvider, from: string): Promise<Capabilities> {
  const chain = numberToHex(chainId)
  const found = await provider.request({ method: 'wallet_getCapabilities', params: [from, [chain]] }).catch(() => null)
  const here = (found as Record<string, ChainCapabilities> | null)?.[chain]
  const atomic = here?.atomic?.status
  return {
    canBatch: atomic === 'supported' || atomic === 'ready',
    canSponsor: paymasterUrl !== null && here?.paymasterService?.supported === true,
  }
}

interface ChainCapabilities {
  atomic?: { status?: string }
  paymasterService?: { supported?: boolean }
}

/** What the connected wallet can do. Until it has answered, nothing special. */
export function useCapabilities(): Capabilities {
  const { address, connector, status } = useConnection()
  const { data } = useQuery({
    // Not a string, so that events of the market do not ask the wallet again.
    queryKey: [{ capabilities: address, of: connector?.uid }],
    enabled: status === 'connected',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => readCapabilities((await connector?.getProvider()) as WalletProvider, address ?? ''),
  })
  return data ?? none
}
