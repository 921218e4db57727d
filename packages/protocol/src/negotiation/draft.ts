import type { Address } from 'viem'
import * as z from 'zod/mini'
import type { ChainEnd } from './chain.ts'
import { type Envelope, envelopeVersion } from './envelope.ts'
import type { Kind } from './kind.ts'
import { kinds, type MessagePayload } from './messages/index.ts'
import type { MessageType } from './messageTypes.ts'

/** What a sender has to say; the rest of an envelope follows from the chain. */
export interface MessageDraft<Type extends MessageType> {
  type: Type
  payload: MessagePayload<Type>
  sender: { evmAddress: Address; xmtpPublicKey?: string }
  timestamp: Date
  taskId?: string
}

/** Reads a payload from JSON for a draft. Throws zod's error for anything else. */
export function readPayload<Type extends MessageType>(type: Type, json: unknown): MessagePayload<Type> {
  const kind: Kind<unknown> = kinds[type]
  return z.decode(kind.payload, json) as MessagePayload<Type>
}

/** Writes the next envelope of a negotiation, ready for `envelopeTypedData`. Refuses a payload of the wrong form. */
export function draftEnvelope<Type extends MessageType>(
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
