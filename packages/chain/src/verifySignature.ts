import { createSignatureVerifier, type VerifySignature } from '@svc/protocol/negotiation'
import { numberToHex } from 'viem'
import type { ChainClient, Providers } from './providers.ts'

/** The precompile that returns its input. A call to it cannot revert, so it fails only if the provider does. */
const identity = numberToHex(4, { size: 20 })

/** Creates a verifier for signatures of keys and of contract wallets (ERC-1271, ERC-6492). Throws if the provider fails. */
export const createClientVerifier = (client: Pick<ChainClient, 'verifyHash' | 'call'>): VerifySignature =>
  createSignatureVerifier(async (check) => {
    if (await client.verifyHash(check)) return true
    // It is also false if the provider did not answer, which says nothing about the signature.
    await client.call({ to: identity, data: '0x01' })
    return false
  })

/**
 * The same with several providers. Throws {@link ChainReadError} if only the chain could verify and it cannot be read.
 */
export const createChainVerifier = (providers: Providers): VerifySignature => {
  return (check) => providers.read(({ client }) => createClientVerifier(client)(check))
}
