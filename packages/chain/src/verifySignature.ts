import { createSignatureVerifier, type VerifySignature } from '@svc/protocol/negotiation'
import { type CallParameters, isErc6492Signature, numberToHex, parseErc6492Signature } from 'viem'
import { verifyHash } from 'viem/actions'
import type { ChainClient, Providers } from './providers.ts'

/** The precompile that returns its input. A call to it cannot revert, so it fails only if the provider does. */
const identity = numberToHex(4, { size: 20 })

/** The most gas of a check: strangers choose the code that runs. Deploying a wallet and asking it needs less than half of it. */
const maxGas = 3_000_000n

/** Creates a verifier for signatures of keys and of contract wallets (ERC-1271, ERC-6492). Throws if the provider fails. */
export const createClientVerifier = (client: ChainClient): VerifySignature =>
  createSignatureVerifier(async (check) => {
    const bounded = { ...client, call: (given: CallParameters) => client.call({ ...given, gas: maxGas }) }
    // ERC-6492 deploys a wallet before it asks it. One that is there is asked directly.
    const isThere = isErc6492Signature(check.signature) && (await client.getCode(check)) !== undefined
    const { signature } = isThere ? parseErc6492Signature(check.signature) : check
    if (await verifyHash(bounded, { ...check, signature })) return true
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
