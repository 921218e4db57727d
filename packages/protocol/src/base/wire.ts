import { type Address, getAddress, type Hex, isAddress, maxUint256 } from 'viem'
import * as z from 'zod/mini'

/** An address: any case as text, checksummed as a value. */
export const address = z.codec(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'not a valid address: expected 0x and 40 hex digits')),
  z.custom<Address>(),
  {
    decode: (text) => getAddress(text),
    encode: (inside) => inside,
  },
)

/**
 * An address that receives money or a role. The zero address is rejected. Mixed case must be a valid checksum, because a
 * wrong one is a typing error.
 */
export const payee = z.codec(
  z.string().check(
    z.refine(isPayee, 'not a valid address, or the checksum is wrong: copy it again, or write it in lower case'),
    z.refine((text) => !/^0x0*$/.test(text), 'the zero address is not allowed'),
  ),
  z.custom<Address>(),
  { decode: (text) => getAddress(text), encode: (inside) => inside },
)

function isPayee(text: string): boolean {
  return isAddress(text, { strict: text !== text.toLowerCase() })
}

/** `min` to `max` bytes in hex: any case as text, lower case as a value. */
const bytes = (min: number, max: number, words: string) =>
  z.codec(z.string().check(z.regex(new RegExp(`^0x(?:[0-9a-fA-F]{2}){${min},${max}}$`), words)), z.custom<Hex>(), {
    decode: (text) => text.toLowerCase() as Hex,
    encode: (inside) => inside,
  })

/** A hash or a digest. */
export const bytes32 = bytes(32, 32, 'not a valid hash: expected 0x and 64 hex digits')

/** A hash that must not be zero. */
export const nonZeroHash = bytes32.check(z.refine((hash) => BigInt(hash) !== 0n, 'the hash must not be zero'))

/** A signature: 65 bytes from a key, or the bytes that a contract wallet accepts. */
export const signatureBytes = bytes(65, 4096, 'not a valid signature: expected 0x and 65 to 4,096 bytes in hex')

/** A whole number: a decimal string without sign or leading zeros as text, a bigint as a value. */
const decimal = (max: bigint, words: string) =>
  z.codec(
    z.string().check(z.refine((text) => /^(?:0|[1-9][0-9]{0,77})$/.test(text) && BigInt(text) <= max, words)),
    z.bigint(),
    { decode: (text) => BigInt(text), encode: (inside) => inside.toString() },
  )

const maxUint128 = 2n ** 128n - 1n

/** TOK wei. The contracts store amounts in 128 bits. */
export const tokWei = decimal(maxUint128, 'not an amount of TOK wei: expected a whole number as a decimal string')

/** USDC units, six decimals. */
export const usdcUnits = decimal(maxUint128, 'not an amount of USDC units: expected a whole number as a decimal string')

/** A nonce: any number that its wallet has not used yet. */
export const nonce = decimal(maxUint256, 'not a nonce: expected a whole number below 2^256 as a decimal string')

/** Unix seconds, or a duration in seconds. */
export const seconds = z.codec(z.int().check(z.minimum(0), z.maximum(2 ** 40 - 1)), z.bigint(), {
  decode: (number) => BigInt(number),
  encode: (inside) => Number(inside),
})

/** The worker's share in basis points, 0 to 10,000. */
export const shareBps = z.codec(z.int().check(z.minimum(0), z.maximum(10_000)), z.bigint(), {
  decode: (number) => BigInt(number),
  encode: (inside) => Number(inside),
})

/** The index of a milestone, starting at 0. */
export const milestone = z.codec(z.int().check(z.minimum(0), z.maximum(15)), z.bigint(), {
  decode: (number) => BigInt(number),
  encode: (inside) => Number(inside),
})

/** Which dispute of a task, starting at 1. */
export const round = z.codec(z.int().check(z.minimum(1), z.maximum(65_535)), z.bigint(), {
  decode: (number) => BigInt(number),
  encode: (inside) => Number(inside),
})

/** A number of bytes, at least one. */
const byteCount = z.codec(z.int().check(z.minimum(1)), z.bigint(), {
  decode: (number) => BigInt(number),
  encode: (inside) => Number(inside),
})

/** A store's receipt for a delivery: how many bytes it holds, until when (unix seconds) it serves them, and its signature. */
export const storageReceipt = z.strictObject({ size: byteCount, until: seconds, signature: signatureBytes })

/** A signature over a struct with its own nonce and expiry. */
export const signature = z.strictObject({ nonce, expiry: seconds, data: signatureBytes })
