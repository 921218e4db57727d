import { useQuery } from '@tanstack/react-query'
import { numberToHex } from 'viem'
import { useConnection } from 'wagmi'
import { chainId } from '../deployments.ts'
import { paymasterUrl } from './paymaster.ts'
import { findProvider, type WalletProvider } from './provider.ts'
import { readField } from './walletAnswers.ts'

/** What a wallet can do besides sending single transactions (EIP-5792, ERC-2612). */
export interface Capabilities {
  /** Sends several calls with one confirmation. */
  canBatch: boolean
  /** Lets the paymaster of this site pay the network fee (ERC-7677). */
  canSponsor: boolean
  /** Signs with a key of its own, so that a token accepts its permits. A contract does not. */
  canPermit: boolean
}

const none: Capabilities = { canBatch: false, canSponsor: false, canPermit: false }

/** Asks a wallet what it can do. A wallet that does not know the question can only send single transactions. */
export async function readCapabilities(provider: WalletProvider, from: string): Promise<Capabilities> {
  const chain = numberToHex(chainId)
  const [answer, code] = await Promise.all([
    provider.request({ method: 'wallet_getCapabilities', params: [from, [chain]] }).catch(() => null),
    provider.request({ method: 'eth_getCode', params: [from, 'latest'] }).catch(() => null),
  ])
  const here = readField(answer, chain)
  const atomic = readField(readField(here, 'atomic'), 'status')
  return {
    canBatch: atomic === 'supported' || atomic === 'ready',
    canSponsor: paymasterUrl !== null && readField(readField(here, 'paymasterService'), 'supported') === true,
    canPermit: code === '0x',
  }
}

/** What the connected wallet can do. Until it has answered, nothing special. */
export function useCapabilities(): Capabilities {
  const { address, connector, status } = useConnection()
  const { data } = useQuery({
    // Not a string, so that events of the market do not ask the wallet again.
    queryKey: [{ capabilities: address, of: connector?.uid }],
    enabled: status === 'connected',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const provider = await findProvider(connector)
      return provider ? readCapabilities(provider, address ?? '') : none
    },
  })
  return data ?? none
}
