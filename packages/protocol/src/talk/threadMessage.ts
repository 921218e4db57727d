import { type Address, getAddress, type Hex, hashTypedData, isAddress, keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { canonicalizeJson } from '../base/canonicalJson.ts'
import { explainIssue, formatIssue } from '../base/explainIssue.ts'
import { isTaskId, maxMessageBytes, sealFields } from '../negotiation/envelope.ts'
import { assertAllowed, MessageRefusedError } from '../negotiation/messageErrors.ts'
import { type SealCheck, verifySigner } from '../negotiation/seal.ts'
import type { SignedStatement } from '../work/wire.ts'
import { type ThreadPayloadJson, type ThreadSide, type ThreadType, threadKinds, threadTypes } from './threadKinds.ts'

export const threadVersion = 'svc-thread-v1'
/** The maximum number of messages of one author in a thread. */
const maxThreadMessages = 1_000

const checksummed = z
  .string()
  .check(z.refine((text) => isAddress(text) && getAddress(text) === text, 'not a checksummed address'))
const hash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/, 'not a valid hash in lower case'))

const threadMessage = z.strictObject({
  schemaVersion: z.literal(threadVersion),
  type: z.enum(threadTypes),
  chainId: z.int().check(z.minimum(1)),
  taskRegistry: checksummed,
  taskId: z.string().check(z.refine(isTaskId, 'not a valid task id: expected v2:<market>:<number>')),
  poster: checksummed,
  other: checksummed,
  sender: checksummed,
  /** The place in the sender's own chain, from 1. */
  sequence: z.int().check(z.minimum(1), z.maximum(maxThreadMessages, 'an author writes at most 1,000 messages')),
  /** The sender's previous message; 32 zero bytes in the first one. */
  previousHash: hash,
  /** The last message of the other side that the sender had seen; 32 zero bytes if there was none. */
  seen: hash,
  timestamp: z.iso.datetime().check(z.maxLength(40)),
  payload: z.record(z.string(), z.unknown()),
})

/** What a thread is about, and who talks. Both sides name all of it in every message. */
export interface ThreadSubject {
  chainId: number
  taskRegistry: Address
  /** `v2:<market>:<number>`. */
  taskId: string
  poster: Address
  other: Address
}

/** A message of a thread before it is signed, as JSON. */
export type ThreadMessage<Type extends ThreadType = ThreadType> = {
  [Each in Type]: ThreadSubject & {
    schemaVersion: typeof threadVersion
    type: Each
    sender: Address
    sequence: number
    previousHash: Hex
    seen: Hex
    timestamp: string
    payload: ThreadPayloadJson<Each>
  }
}[Type]

/** A signed message of a thread. The device key of the sender signs it, or its wallet. */
export interface SignedThreadMessage {
  message: ThreadMessage
  hash: Hex
  signature: Hex
  statement?: SignedStatement
}

const signedThreadMessage = z.strictObject({ message: threadMessage, ...sealFields })

const sealTypes = {
  ThreadSeal: [
    { name: 'taskId', type: 'string' },
    { name: 'sequence', type: 'uint256' },
    { name: 'hash', type: 'bytes32' },
  ],
} as const

/** Hashes a message of a thread: keccak256 of its canonical JSON. The hash identifies the message. */
export function hashThreadMessage(message: ThreadMessage): Hex {
  return keccak256(stringToHex(canonicalizeJson(message)))
}

/**
 * Builds the typed data that the device key or the wallet of the sender signs.
 *
 * @example
 * ```ts
 * const signature = await device.signTypedData(buildThreadTypedData(message))
 * ```
 */
export function buildThreadTypedData(message: ThreadMessage) {
  const { chainId, taskRegistry, taskId, sequence } = message
  return {
    domain: { name: 'Svc Thread', version: '1', chainId, verifyingContract: taskRegistry },
    types: sealTypes,
    primaryType: 'ThreadSeal',
    message: { taskId, sequence: BigInt(sequence), hash: hashThreadMessage(message) },
  } as const
}

/**
 * Combines a message with a signature over {@link buildThreadTypedData}. Pass the key statement if a device key signed. Throws
 * {@link MessageRefusedError} if the result is not valid.
 *
 * @example
 * ```ts
 * const signed = sealThreadMessage(message, signature, keys.statement)
 * ```
 */
export function sealThreadMessage(
  message: ThreadMessage,
  signature: Hex,
  statement?: SignedStatement,
): SignedThreadMessage {
  const signed = { message, hash: hashThreadMessage(message), signature, ...(statement && { statement }) }
  return parseThreadMessage(signed)
}

/** Parses a signed message from a JSON value. Throws {@link MessageRefusedError}. Does not verify the hash or the signature. */
export function parseThreadMessage(value: unknown): SignedThreadMessage {
  const parsed = read(signedThreadMessage, value, 'message')
  read(threadKinds[parsed.message.type].payload, parsed.message.payload, 'payload')
  const bytes = new TextEncoder().encode(canonicalizeJson(value)).length
  assertAllowed(bytes <= maxMessageBytes, `it has ${bytes} bytes, but the limit is ${maxMessageBytes}.`)
  return value as SignedThreadMessage
}

/** Verifies the hash, the subject and the signature of a message. Throws {@link MessageRefusedError}. Returns whose it is. */
export async function verifyThreadMessage(value: unknown, check: SealCheck): Promise<ThreadSide> {
  const signed = parseThreadMessage(value)
  const { message } = signed
  assertAllowed(signed.hash === hashThreadMessage(message), 'its hash is not the hash of its content.')
  assertAllowed(message.chainId === check.chainId, `it is for chain ${message.chainId}, not ${check.chainId}.`)
  assertAllowed(message.poster !== message.other, 'it names one wallet as both sides.')
  const side = message.sender === message.poster ? 'poster' : 'other'
  assertAllowed(message.sender === message[side], `${message.sender} is not a side of the thread.`)
  const { by } = threadKinds[message.type]
  assertAllowed(
    by === 'either' || by === side,
    `only the ${by === 'poster' ? 'poster' : 'other side'} writes ${message.type}.`,
  )
  const isSigned = await verifySigner(signed, check, {
    sender: message.sender,
    signed: hashTypedData(buildThreadTypedData(message)),
    sentAt: Math.floor(Date.parse(message.timestamp) / 1000),
  })
  assertAllowed(isSigned, 'it was not signed by its sender.')
  return side
}

function read<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, name: string): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, value, { error: explainIssue })
  if (success) return data
  throw new MessageRefusedError(formatIssue(error.issues[0], [name]))
}
