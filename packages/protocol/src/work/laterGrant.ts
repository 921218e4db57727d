import * as z from 'zod/mini'
import { address } from '../base/wire.ts'
import { workLimits } from './limits.ts'
import { keccakHash, readingKey } from './wire.ts'

/**
 * A grant that was made after a bundle was sealed, for a judge or for a new key of a party. The descriptor never changes, so
 * later grants lie beside it, by bundle and reader. They are not signed: a grant either holds the identity that the
 * descriptor names, or it opens nothing.
 */
export const laterGrant = z.strictObject({
  version: z.literal(1),
  /** The hash of the bundle's descriptor. */
  bundle: keccakHash,
  /** The wallet that may read. */
  reader: address,
  /** Its reading key. */
  key: readingKey,
  /** The grant file: the bundle's identity, encrypted for `key` with age. */
  file: z.codec(
    z
      .string()
      .check(z.maxLength(Math.ceil(workLimits.grantBytes / 3) * 4), z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'not base64')),
    z.custom<Uint8Array>(),
    {
      decode: (text, context) => {
        try {
          return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
        } catch {
          context.issues.push({ code: 'custom', message: 'not base64', input: text })
          return z.NEVER
        }
      },
      encode: (bytes) => btoa(String.fromCharCode(...bytes)),
    },
  ),
})
export type LaterGrant = z.output<typeof laterGrant>
