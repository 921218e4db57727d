import { ChainReadError, createChainVerifier, type Providers } from '@svc/chain'
import { unavailable } from '@svc/operations'
import type { VerifySignature } from '@svc/protocol/negotiation'

/** Creates a verifier of signatures that answers CHAIN_UNREACHABLE if only the chain could verify and it cannot be read. */
export function createServiceVerifier(providers: Providers): VerifySignature {
  const verify = createChainVerifier(providers)
  return async (check) => {
    try {
      return await verify(check)
    } catch (error) {
      if (error instanceof ChainReadError) throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
      throw error
    }
  }
}
