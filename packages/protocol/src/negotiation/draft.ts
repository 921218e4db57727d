import type { Address } from 'viem'
import * as z from 'zod/mini'
import { explainIssue } from '../base/explainIssue.ts'
import { type Envelope, envelopeVersion } from './envelope.ts'
import type { Kind } from './kind.ts'
import { kinds, type MessagePayload } from './messages/index.ts'
import type { MessageType } from './messageTypes.ts'
import type { ChainEnd } from './state.ts'

/** The content of a message. The rest of the envelope follows from the chain. */
export interface MessageDraft<Type extends MessageType> {
  type: Type
  payload: MessagePayload<Type>
  sender: { evmAddress: Address; xmtpPublicKey?: string }
  timestamp: Date
  taskId?: string
}

/**
 * Parses a payload from JSON. Throws zod's error if it does not match the type.
 *
 * @example
 * ```ts
 * const payload = parsePayload('DeliveryNotice', { milestone: 0, proofHash })
 * ```
 */
export function parsePayload<Type extends MessageType>(type: Type, json: unknown): MessagePayload<Type> {
  const kind: Kind<unknown> = kinds[type]
  return z.decode(kind.payload, json, { error: explainIssue }) as MessagePayload<Type>
}

/**
 * Builds the next envelope of a negotiation, ready for {@link buildEnvelopeTypedData}. Throws zod's error if the payload does
 * not match the type.
 *
 * @example
 * ```ts
 * const envelope = buildEnvelope(negotiation, { type: 'AcceptDelivery', payload: { milestone: 0n }, sender, timestamp: new Date() })
 * ```
 */
export function buildEnvelope<Type extends MessageType>(
  end: ChainEnd,
  { type, payload, sender, timestamp, taskId }: MessageDraft<Type>,
): Envelope {
  const kind: Kind<unknown> = kinds[type]
  return {
    schemaVersion: envelopeVersion,
    type,
    negotiationId: end.negotiationId,
    ...(taskId === undefined ? {} : { taskId }),
    sequence: end.length + 1,
    previousHash: end.head,
    timestamp: timestamp.toISOString(),
    sender: { evmAddress: sender.evmAddress, xmtpPublicKey: sender.xmtpPublicKey ?? '' },
    payload: z.encode(kind.payload, payload),
  } as Envelope
}
