import { ChainReadError, type Providers } from '@svc/chain'
import { unavailable } from '@svc/operations'
import { createSignatureVerifier, type VerifySignature } from '@svc/protocol/negotiation'

/** Creates a verifier for signatures of keys and of contract wallets (ERC-1271, ERC-6492). */
export const createVerifier = (providers: Providers): VerifySignature =>
  createSignatureVerifier((check) =>
    providers
      .read(async ({ client }) => {
        // verifyHash returns false if the provider does not respond, so check the provider first.
        await client.getBlockNumber()
        return client.verifyHash(check)
      })
      .catch((error: unknown) => {
        if (error instanceof ChainReadError) throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
        throw error
      }),
  )
