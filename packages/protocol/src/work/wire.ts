import * as z from 'zod/mini'
import { bytes32, signatureBytes } from '../base/wire.ts'

/** A SHA-256 hash as `sha256sum` prints it: it names parts and files. */
export const sha256Hex = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'not a SHA-256 hash: expected 64 hex digits'))

/** A keccak256 hash: it names descriptors and manifests. */
export const keccakHash = bytes32

/** The public half of a reading key: an X25519 recipient of age. */
export const readingKey = z
  .string()
  .check(z.regex(/^age1[02-9ac-hj-np-z]{58}$/, 'not a reading key: expected age1 and 58 characters'))

/** A number of bytes. */
export const byteCount = z.int().check(z.minimum(0))

/**
 * A key statement as it is stored and exchanged: an EIP-4361 sign-in message whose resources name a reading key and a device
 * key, and the wallet's signature over it. One signature is the session, the statement and the right to seal messages. It
 * never moves money.
 */
export const signedStatement = z.strictObject({
  message: z
    .string()
    .check(z.minLength(1), z.maxLength(4_096), z.describe('Sign-in message (EIP-4361) with the keys.')),
  signature: signatureBytes.check(z.describe("The wallet's signature over it.")),
})
export type SignedStatement = z.output<typeof signedStatement>
