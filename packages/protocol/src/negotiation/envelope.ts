import { type Hex, keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { canonicalJson } from '../canonicalJson.ts'
import { parseTaskId } from '../taskId.ts'
import { kinds, type MessagePayloadJson } from './messages/index.ts'
import { type MessageType, messageTypes } from './messageTypes.ts'
import { demand, MessageRefusedError } from './refusal.ts'

export const envelopeVersion = 'svc-xmtp-v1'
/** The largest signed message, in bytes of its canonical JSON. */
export const maxMessageBytes = 262_144
/** The most messages a negotiation can have. */
export const maxMessages = 1_000

/** The envelope of every message as JSON. What `payload` must be depends on `type`. */
export const envelope = z.strictObject({
  schemaVersion: z.literal(envelopeVersion),
  type: z.enum(messageTypes),
  negotiationId: z.guid(),
  /** The task that the agreement became. */
  taskId: z.optional(z.string().check(z.refine(isTaskId, 'not a task id: v2:<market>:<number>'))),
  sequence: z.int().check(z.minimum(1), z.maximum(maxMessages, 'a negotiation has at most 1,000 messages')),
  previousHash: z.string().check(z.regex(/^0x[a-fA-F0-9]{64}$/, 'not a hash: 0x and 64 hex digits')),
  timestamp: z.iso.datetime({ offset: true }).check(z.maxLength(40)),
  sender: z.strictObject({
    evmAddress: z.string().check(z.regex(/^0x[a-fA-F0-9]{40}$/, 'not an address: 0x and 40 hex digits')),
    /** Empty where the messages do not travel over XMTP. */
    xmtpPublicKey: z.string().check(z.maxLength(1_024), z.regex(/^[!-~]*$/, 'visible ASCII characters only')),
  }),
  payload: z.record(z.string(), z.unknown()),
})

/** A message before it is sealed, as JSON. */
export type Envelope<Type extends MessageType = MessageType> = {
  [Each in Type]: Omit<z.infer<typeof envelope>, 'type' | 'payload'> & { type: Each; payload: MessagePayloadJson<Each> }
}[Type]

/** A message as it travels: the signature is its sender's `EnvelopeSeal`. */
export interface SignedMessage {
  envelope: Envelope
  hash: Hex
  signature: Hex
}

// Lower case only, so that a message has one spelling.
const signedMessage = z.strictObject({
  envelope,
  hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/, 'not a hash in lower case')),
  signature: z.string().check(z.regex(/^0x(?:[0-9a-f]{2}){65,4096}$/, 'not a signature in lower case')),
})

/** The name of a message: keccak256 of its envelope's canonical JSON. */
export function hashEnvelope(message: Envelope): Hex {
  return keccak256(stringToHex(canonicalJson(message)))
}

/** Takes a value for a message. Refuses wrong forms, unknown fields and more than 256 KiB; believes neither hash nor signature. */
export function parseMessage(value: unknown): SignedMessage {
  const message = read(signedMessage, value, 'message')
  read(kinds[message.envelope.type].payload, message.envelope.payload, 'payload')
  const bytes = new TextEncoder().encode(canonicalJson(value)).length
  demand(bytes <= maxMessageBytes, `it takes ${bytes} bytes; ${maxMessageBytes} are allowed.`)
  return value as SignedMessage
}

/** Reads a message from one line of text. Refuses any spelling but the canonical one, so that no key is there twice. */
export function readMessage(text: string): SignedMessage {
  demand(text.length <= maxMessageBytes, `it is longer than ${maxMessageBytes} bytes.`)
  const message = parseMessage(parseJson(text))
  demand(canonicalJson(message) === text, 'its text is not canonical JSON (RFC 8785).')
  return message
}

/** Writes a message as one line of text for `readMessage`, without the line's end. */
export function writeMessage(message: SignedMessage): string {
  return canonicalJson(parseMessage(message))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MessageRefusedError('its text is not JSON.')
  }
}

function read<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, name: string): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, value)
  if (success) return data
  const [issue] = error.issues
  throw new MessageRefusedError(`${[name, ...(issue?.path ?? [])].join('.')} is ${wrong(issue)}.`)
}

/** What is wrong with a field; where the schema has no words for it, zod's name for the fault. */
function wrong(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `given fields that it does not have: ${issue.keys.join(', ')}`
  return !issue || issue.message === 'Invalid input' ? `wrong (${issue?.code})` : `wrong (${issue.message})`
}

function isTaskId(text: string): boolean {
  try {
    parseTaskId(text)
    return true
  } catch {
    return false
  }
}
