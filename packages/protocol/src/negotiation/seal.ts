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

/** What the sender of an envelope signs. The chain is the one its terms are for. */
export function envelopeTypedData(chainId: number, envelope: Envelope) {
  return sealTypedData(chainId, envelope, hashEnvelope(envelope))
}

/** Makes the message of an envelope and its sender's signature over `envelopeTypedData`. Refuses what no reader would take. */
export function sealMessage(envelope: Envelope, signature: Hex): SignedMessage {
  const message = { envelope, hash: hashEnvelope(envelope), signature: signature.toLowerCase() as Hex }
  parseMessage(message)
  return message
}

/** Whether the sender that a message names has signed it. Its hash must have been checked before. */
export function verifySeal(chainId: number, message: SignedMessage, verify: VerifySignature): Promise<boolean> {
  return verify({
    address: getAddress(message.envelope.sender.evmAddress),
    hash: hashTypedData(sealTypedData(chainId, message.envelope, message.hash)),
    signature: message.signature,
  })
}

const sealTypedData = (chainId: number, { negotiationId, sequence }: Envelope, hash: Hex) =>
  ({
    domain: { name: 'Svc Negotiation', version: '1', chainId },
    types: sealTypes,
    primaryType: 'EnvelopeSeal',
    message: { negotiationId, sequence: BigInt(sequence), hash },
  }) as const
