import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Descriptor } from './descriptor.ts'
import type { LaterGrant } from './laterGrant.ts'
import { assertWork, WorkError } from './workError.ts'

/** The secret half of a reading key: age's text form, or a key that the browser does not let out. */
export type ReadingIdentity = string | InstanceType<typeof CryptoKey>

/** A wallet and the reading key that its statement names. */
export type Reader = Pick<LaterGrant, 'reader' | 'key'>

/**
 * Creates a random reading key. It is never derived from a signature: wallets do not all sign deterministically, and one
 * phished signature would open everything.
 *
 * @example
 * ```ts
 * const { identity, key } = await createReadingKey()
 * ```
 */
export async function createReadingKey(): Promise<{ identity: string; key: string }> {
  const identity = await generateX25519Identity()
  return { identity, key: await identityToRecipient(identity) }
}

/**
 * Computes the public half of a reading key or of a bundle's identity.
 *
 * @example
 * ```ts
 * const key = await getReadingKey(identity) // 'age1…'
 * ```
 */
export async function getReadingKey(identity: ReadingIdentity): Promise<string> {
  return identityToRecipient(identity)
}

/**
 * Writes a grant file: a bundle's identity, encrypted for one reading key. Throws {@link WorkError} for a key that is
 * mistyped.
 *
 * @example
 * ```ts
 * const file = await sealGrant(identity, key)
 * ```
 */
export async function sealGrant(identity: string, key: string): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  try {
    encrypter.addRecipient(key)
  } catch (cause) {
    throw new WorkError('INVALID_GRANT', `${key} is not a reading key.`, { cause })
  }
  return encrypter.encrypt(identity)
}

/**
 * Opens a grant file with a reading key. Throws {@link WorkError} unless it holds the identity that the descriptor names, so
 * that no grant can make a reader see another content.
 *
 * @example
 * ```ts
 * const identity = await openGrant(file, readingIdentity, descriptor)
 * ```
 */
export async function openGrant(
  file: Uint8Array,
  readingIdentity: ReadingIdentity,
  { recipient }: Pick<Descriptor, 'recipient'>,
): Promise<string> {
  const identity = await decryptText(file, readingIdentity)
  assertWork(
    recipient !== null && (await findRecipient(identity)) === recipient,
    'WRONG_GRANT',
    'The grant holds a key of another bundle.',
  )
  return identity
}

/**
 * Creates a grant for a reader whom the bundle was not sealed for: a judge, or a new key of a party.
 *
 * @example
 * ```ts
 * const { identity } = await openBundle(options)
 * const grant = await createLaterGrant(hash, identity, { reader: judge, key })
 * ```
 */
export async function createLaterGrant(
  bundle: LaterGrant['bundle'],
  identity: string,
  { reader, key }: Reader,
): Promise<LaterGrant> {
  return { version: 1, bundle, reader, key, file: await sealGrant(identity, key) }
}

async function decryptText(file: Uint8Array, identity: ReadingIdentity): Promise<string> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  try {
    return await decrypter.decrypt(file, 'text')
  } catch (cause) {
    throw new WorkError('WRONG_GRANT', 'The grant cannot be opened with this reading key.', { cause })
  }
}

async function findRecipient(identity: string): Promise<string | null> {
  try {
    return await identityToRecipient(identity)
  } catch {
    return null
  }
}
