import { Decrypter, Encrypter } from 'age-encryption'
import { type Hex, keccak256, stringToHex } from 'viem'
import { canonicalizeJson } from '../base/canonicalJson.ts'
import { parseMessage, type SignedMessage } from '../negotiation/envelope.ts'
import { assertAllowed, MessageRefusedError } from '../negotiation/messageErrors.ts'
import type { ReadingIdentity } from '../work/readingKey.ts'
import { mailLimits } from './mailLimits.ts'
import { parseThreadMessage, type SignedThreadMessage } from './threadMessage.ts'

/** What a mailbox forwards: a message of a negotiation or of a thread. */
export type MailMessage = SignedMessage | SignedThreadMessage

/** Whether a message belongs to a thread. */
export const isThreadMessage = (message: MailMessage): message is SignedThreadMessage => 'message' in message

/**
 * Parses a message from its line. Throws {@link MessageRefusedError} for anything but canonical JSON of a known form. Does not
 * verify the hash or the signature.
 */
export function parseMailLine(line: string): MailMessage {
  assertAllowed(line.length <= mailLimits.lineBytes, `it is longer than ${mailLimits.lineBytes} bytes.`)
  const value = parseJson(line)
  const isThread = typeof value === 'object' && value !== null && 'message' in value
  const message = isThread ? parseThreadMessage(value) : parseMessage(value)
  assertAllowed(canonicalizeJson(message) === line, 'its text is not canonical JSON (RFC 8785).')
  return message
}

/** Formats a message as one line, for {@link parseMailLine}. */
export function formatMailLine(message: MailMessage): string {
  return canonicalizeJson(message)
}

/**
 * Computes the id of a line at a mailbox. The line has a signature in it, so the id tells nothing about the content to anyone
 * who does not know the line.
 */
export function hashMailLine(line: string): Hex {
  return keccak256(stringToHex(line))
}

/**
 * Encrypts a line for reading keys with age. A mailbox sees the result only.
 *
 * @example
 * ```ts
 * const sealed = await sealMail(formatMailLine(message), [key, ownKey])
 * ```
 */
export async function sealMail(line: string, keys: readonly string[]): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  for (const key of new Set(keys)) encrypter.addRecipient(key)
  return encrypter.encrypt(line)
}

/** Opens sealed mail with the reading keys of a wallet. Throws {@link MessageRefusedError} if none of them opens it. */
export async function openMail(sealed: Uint8Array, identities: readonly ReadingIdentity[]): Promise<string> {
  assertAllowed(sealed.length <= mailLimits.sealedBytes, `it is larger than ${mailLimits.sealedBytes} bytes.`)
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    return await decrypter.decrypt(sealed, 'text')
  } catch {
    throw new MessageRefusedError('it cannot be opened with the keys of this device.')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MessageRefusedError('its text is not JSON.')
  }
}
