import { useQuery } from '@tanstack/react-query'
import { useConnection } from 'wagmi'
import { useLastOwnBlock } from '../lastOwnBlock.ts'
import { findProvider } from './provider.ts'

/** The ETH of the connected wallet and the price of gas, in wei, as its own provider reports them; null if it does not. */
export function useGas(): { eth: bigint; gasPrice: bigint } | null {
  const { address, connector, status } = useConnection()
  const { data } = useQuery({
    queryKey: ['gas', address, useLastOwnBlock()],
    enabled: status === 'connected',
    retry: false,
    staleTime: 30_000,
    queryFn: async () => {
      const provider = await findProvider(connector)
      if (!provider) return null
      const [eth, gasPrice] = await Promise.all([
        provider.request({ method: 'eth_getBalance', params: [address, 'latest'] }),
        provider.request({ method: 'eth_gasPrice' }),
      ])
      return { eth: BigInt(String(eth)), gasPrice: BigInt(String(gasPrice)) }
    },
  })
  return data ?? null
}
