import type { Deployments, Providers } from '@svc/chain'
import { unavailable } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { type Address, erc20Abi } from 'viem'

/** A wallet's current token allowance for a market's payment gateway. */
export type ReadAllowance = (market: Market, wallet: Address, payWith: 'tok' | 'usdc') => Promise<bigint>

/** Reads allowances from the chain. */
export function createReadAllowance(providers: Providers, { shared, markets }: Deployments): ReadAllowance {
  return (market, wallet, payWith) =>
    providers
      .read(({ client }) =>
        client.readContract({
          address: shared[payWith === 'tok' ? 'tokToken' : 'usdc'],
          abi: erc20Abi,
          functionName: 'allowance',
          args: [wallet, markets[market].paymentGateway],
        }),
      )
      .catch(() => {
        throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
      })
}
