import { type Hex, keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { canonicalizeJson } from '../base/canonicalJson.ts'
import { explainIssue, formatIssue } from '../base/explainIssue.ts'
import { parseTaskId } from '../tasks/taskId.ts'
import type { SignedStatement } from '../work/wire.ts'
import { assertAllowed, MessageRefusedError } from './messageErrors.ts'
import { kinds, type MessagePayloadJson } from './messages/index.ts'
import { type MessageType, messageTypes } from './messageTypes.ts'

export const envelopeVersion = 'svc-xmtp-v1'
/** The maximum size of a signed message, in bytes of canonical JSON. */
export const maxMessageBytes = 262_144
/** The maximum number of messages in a negotiation. */
export const maxMessages = 1_000

// Lower case only, so that a message has exactly one form.
const sealSignature = z.string().check(z.regex(/^0x(?:[0-9a-f]{2}){65,4096}$/, 'not a valid signature in lower case'))

/** What a seal adds to a message. */
export const sealFields = {
  hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/, 'not a valid hash in lower case')),
  signature: sealSignature,
  statement: z.optional(
    z.strictObject({ message: z.string().check(z.minLength(1), z.maxLength(4_096)), signature: sealSignature }),
  ),
}

/** The envelope of every message, as JSON. The schema of `payload` depends on `type`. */
export const envelope = z.strictObject({
  schemaVersion: z.literal(envelopeVersion),
  type: z.enum(messageTypes),
  negotiationId: z.guid(),
  /** The task that was created from the agreement. */
  taskId: z.optional(z.string().check(z.refine(isTaskId, 'not a valid task id: expected v2:<market>:<number>'))),
  sequence: z.int().check(z.minimum(1), z.maximum(maxMessages, 'a negotiation has at most 1,000 messages')),
  previousHash: z.string().check(z.regex(/^0x[a-fA-F0-9]{64}$/, 'not a valid hash: expected 0x and 64 hex digits')),
  timestamp: z.iso.datetime({ offset: true }).check(z.maxLength(40)),
  sender: z.strictObject({
    evmAddress: z.string().check(z.regex(/^0x[a-fA-F0-9]{40}$/, 'not a valid address: expected 0x and 40 hex digits')),
    /** Empty if the messages are not sent over XMTP. */
    xmtpPublicKey: z.string().check(z.maxLength(1_024), z.regex(/^[!-~]*$/, 'visible ASCII characters only')),
  }),
  payload: z.record(z.string(), z.unknown()),
})

/** A message before it is signed, as JSON. */
export type Envelope<Type extends MessageType = MessageType> = {
  [Each in Type]: Omit<z.infer<typeof envelope>, 'type' | 'payload'> & { type: Each; payload: MessagePayloadJson<Each> }
}[Type]

/**
 * A signed message. The signature is an `EnvelopeSeal` of the sender, or of the sender's device key: then the key statement that
 * names it is part of the message.
 */
export interface SignedMessage {
  envelope: Envelope
  hash: Hex
  signature: Hex
  statement?: SignedStatement
}

const signedMessage = z.strictObject({ envelope, ...sealFields })

/**
 * Hashes an envelope: keccak256 of its canonical JSON. The hash identifies the message.
 *
 * @example
 * ```ts
 * hashEnvelope(message.envelope) === message.hash
 * ```
 */
export function hashEnvelope(message: Envelope): Hex {
  return keccak256(stringToHex(canonicalizeJson(message)))
}

/**
 * Parses a message from a JSON value. Throws {@link MessageRefusedError} for a wrong form, unknown fields or more than 256 KiB.
 * Does not verify the hash or the signature.
 *
 * @example
 * ```ts
 * const { envelope } = parseMessage(JSON.parse(text))
 * ```
 */
export function parseMessage(value: unknown): SignedMessage {
  const message = read(signedMessage, value, 'message')
  read(kinds[message.envelope.type].payload, message.envelope.payload, 'payload')
  const bytes = new TextEncoder().encode(canonicalizeJson(value)).length
  assertAllowed(bytes <= maxMessageBytes, `it has ${bytes} bytes, but the limit is ${maxMessageBytes}.`)
  return value as SignedMessage
}

/**
 * Parses a message from one line of text. Throws {@link MessageRefusedError} for anything but canonical JSON, so that a message
 * has exactly one form.
 *
 * @example
 * ```ts
 * const messages = lines.map(parseMessageLine)
 * ```
 */
export function parseMessageLine(text: string): SignedMessage {
  assertAllowed(text.length <= maxMessageBytes, `it is longer than ${maxMessageBytes} bytes.`)
  const message = parseMessage(parseJson(text))
  assertAllowed(canonicalizeJson(message) === text, 'its text is not canonical JSON (RFC 8785).')
  return message
}

/**
 * Formats a message as one line of text for {@link parseMessageLine}, without the line feed.
 *
 * @example
 * ```ts
 * const lines = messages.map(formatMessageLine)
 * ```
 */
export function formatMessageLine(message: SignedMessage): string {
  return canonicalizeJson(parseMessage(message))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MessageRefusedError('its text is not JSON.')
  }
}

function read<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, name: string): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, value, { error: explainIssue })
  if (success) return data
  const [issue] = error.issues
  throw new MessageRefusedError(formatIssue(issue, [name]))
}

/** Whether text is a task id. */
export function isTaskId(text: string): boolean {
  try {
    parseTaskId(text)
    return true
  } catch {
    return false
  }
}
