import { getAddress, type Hex, hashTypedData } from 'viem'
import { type Envelope, hashEnvelope, parseMessage, type SignedMessage } from './envelope.ts'
import type { VerifySignature } from './signatures.ts'

const sealTypes = {
  EnvelopeSeal: [
    { name: 'negotiationId', type: 'string' },
    { name: 'sequence', type: 'uint256' },
    { name: 'hash', type: 'bytes32' },
  ],
} as const

/**
 * Builds the typed data that the sender of an envelope signs. The chain id is that of the terms.
 *
 * @example
 * ```ts
 * const signature = await account.signTypedData(buildEnvelopeTypedData(8453, envelope))
 * ```
 */
export function buildEnvelopeTypedData(chainId: number, envelope: Envelope) {
  return buildSealTypedData(chainId, envelope, hashEnvelope(envelope))
}

/**
 * Combines an envelope with the sender's signature over {@link buildEnvelopeTypedData}. Throws {@link MessageRefusedError} if
 * the result is not a valid message.
 *
 * @example
 * ```ts
 * const message = sealMessage(envelope, signature)
 * ```
 */
export function sealMessage(envelope: Envelope, signature: Hex): SignedMessage {
  const message = { envelope, hash: hashEnvelope(envelope), signature: signature.toLowerCase() as Hex }
  parseMessage(message)
  return message
}

/** Verifies that a message was signed by the sender it names. Its hash must already be verified. */
export function verifySeal(chainId: number, message: SignedMessage, verify: VerifySignature): Promise<boolean> {
  return verify({
    address: getAddress(message.envelope.sender.evmAddress),
    hash: hashTypedData(buildSealTypedData(chainId, message.envelope, message.hash)),
    signature: message.signature,
  })
}

const buildSealTypedData = (chainId: number, { negotiationId, sequence }: Envelope, hash: Hex) =>
  ({
    domain: { name: 'Svc Negotiation', version: '1', chainId },
    types: sealTypes,
    primaryType: 'EnvelopeSeal',
    message: { negotiationId, sequence: BigInt(sequence), hash },
  }) as const
