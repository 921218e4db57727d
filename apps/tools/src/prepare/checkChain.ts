import type { Markets } from '../market.ts'
import { PrepareError } from './prepareError.ts'

/** Refuses a chain that the contracts are not on: calls for it would go nowhere, or worse. */
export async function checkChain({ providers, deployments }: Markets): Promise<void> {
  const chainId = await providers.read(({ client }) => client.getChainId())
  if (chainId === deployments.chainId) return
  throw new PrepareError(
    'unreachable',
    `CHAIN_RPC_URL is of chain ${chainId}; the contracts are on ${deployments.chainId}.`,
    {
      code: 'WRONG_CHAIN',
      hint: `Set CHAIN_RPC_URL to an RPC of chain ${deployments.chainId}.`,
    },
  )
}
