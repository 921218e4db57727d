import { type Address, getAddress, type Hex, hashTypedData } from 'viem'
import { checkStatement, parseStatementMessage } from '../work/statement.ts'
import type { SignedStatement } from '../work/wire.ts'
import { WorkError } from '../work/workError.ts'
import { type Envelope, hashEnvelope, parseMessage, type SignedMessage } from './envelope.ts'
import { assertAllowed } from './messageErrors.ts'
import { type VerifySignature, verifyKeySignature } from './signatures.ts'

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
 * const signature = await account.signTypedData(buildEnvelopeTypedData(chainId, envelope))
 * ```
 */
export function buildEnvelopeTypedData(chainId: number, envelope: Envelope) {
  return buildSealTypedData(chainId, envelope, hashEnvelope(envelope))
}

/**
 * Combines an envelope with the sender's signature over {@link buildEnvelopeTypedData}. A device key may sign instead, with the
 * key statement that names it. Throws {@link MessageRefusedError} if the result is not a valid message.
 *
 * @example
 * ```ts
 * const message = sealMessage(envelope, signature)
 * ```
 */
export function sealMessage(envelope: Envelope, signature: Hex, statement?: SignedStatement): SignedMessage {
  const hash = hashEnvelope(envelope)
  const message = { envelope, hash, signature: toLowerCase(signature), ...(statement && { statement }) }
  parseMessage(message)
  return message
}

/** Where a signature of a device key counts: at these domains. `any` is for proofs that rest on signatures of wallets. */
export type SealDomains = readonly string[] | 'any'

export interface SealCheck {
  chainId: number
  verifySignature: VerifySignature
  domains?: SealDomains | undefined
  /** Verifies signatures of device keys. A reader that sees a message often passes one that remembers. */
  verifyDeviceSignature?: VerifySignature | undefined
}

/** Verifies that a message was signed by the sender it names. Its hash must already be verified. */
export function verifySeal(message: SignedMessage, check: SealCheck): Promise<boolean> {
  const { evmAddress } = message.envelope.sender
  return verifySigner(message, check, {
    sender: getAddress(evmAddress),
    signed: hashTypedData(buildSealTypedData(check.chainId, message.envelope, message.hash)),
    sentAt: Math.floor(Date.parse(message.envelope.timestamp) / 1000),
  })
}

/**
 * Verifies that a wallet signed a hash, or its device key did. Throws {@link MessageRefusedError} for a statement that does not
 * count: one of another wallet, chain or domain, or one that had expired when the message was sent.
 */
export async function verifySigner(
  { signature, statement }: Pick<SignedMessage, 'signature' | 'statement'>,
  { chainId, verifySignature, domains, verifyDeviceSignature = verifyKeySignature }: SealCheck,
  { sender, signed, sentAt }: { sender: Address; signed: Hex; sentAt: number },
): Promise<boolean> {
  if (!statement) return verifySignature({ address: sender, hash: signed, signature })
  assertAllowed(domains !== undefined, 'a device key signed it, but the domain of the market is not known here.')
  try {
    const named = domains === 'any' ? [parseStatementMessage(statement.message).domain] : domains
    const use = { domains: named, chainId, now: sentAt, wallet: sender, verifySignature }
    const { deviceKey } = await checkStatement(statement, use)
    return await verifyDeviceSignature({ address: deviceKey, hash: signed, signature })
  } catch (error) {
    if (!(error instanceof WorkError)) throw error
    assertAllowed(false, `its key statement does not count. ${error.message}`)
  }
}

const toLowerCase = (signature: Hex): Hex => `0x${signature.slice(2).toLowerCase()}`

const buildSealTypedData = (chainId: number, { negotiationId, sequence }: Envelope, hash: Hex) =>
  ({
    domain: { name: 'Svc Negotiation', version: '1', chainId },
    types: sealTypes,
    primaryType: 'EnvelopeSeal',
    message: { negotiationId, sequence: BigInt(sequence), hash },
  }) as const
