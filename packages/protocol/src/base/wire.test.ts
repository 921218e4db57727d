import fc from 'fast-check'
import { getAddress, maxUint256, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { runs } from '../../../../test/harness/runs.ts'
import {
  address,
  bytes32,
  milestone,
  nonce,
  nonZeroHash,
  payee,
  seconds,
  shareBps,
  signature,
  signatureBytes,
  tokWei,
  usdcUnits,
} from './wire.ts'

const maxUint128 = 2n ** 128n - 1n
const hex = (bytes: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: bytes * 2, maxLength: bytes * 2 })
const anyAddress = hex(20).map((digits) => getAddress(`0x${digits}`))
const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
/** The same address with the case of one letter turned, or null where it has no letters. */
const misspelt = (text: string) => {
  const index = text.search(/[a-fA-F]/)
  if (index < 0) return null
  const letter = text.charAt(index)
  const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return text.slice(0, index) + turned + text.slice(index + 1)
}

describe('addresses', () => {
  test('any case is accepted and becomes a checksummed address', () => {
    fc.assert(
      fc.property(anyAddress, (checksummed) => {
        for (const written of [checksummed, checksummed.toLowerCase(), upper(checksummed), misspelt(checksummed)]) {
          if (written !== null) expect(z.decode(address, written)).toBe(checksummed)
        }
        expect(z.encode(address, checksummed)).toBe(checksummed)
      }),
      { numRuns: runs(100) },
    )
  })

  test('a payee must be in lower case or have a valid checksum', () => {
    fc.assert(
      fc.property(anyAddress, (checksummed) => {
        fc.pre(checksummed !== zeroAddress)
        expect(z.decode(payee, checksummed)).toBe(checksummed)
        expect(z.decode(payee, checksummed.toLowerCase())).toBe(checksummed)
        const wrong = misspelt(checksummed)
        if (wrong !== null && wrong !== wrong.toLowerCase()) expect(z.safeDecode(payee, wrong).success).toBe(false)
      }),
      { numRuns: runs(500) },
    )
  })

  test('the zero address is an address, but not a payee', () => {
    expect(z.decode(address, zeroAddress)).toBe(zeroAddress)
    expect(z.safeDecode(payee, zeroAddress).error?.issues[0]?.message).toBe('the zero address is not allowed')
  })

  test.each([
    '',
    '0x',
    zeroAddress.slice(2),
    `${zeroAddress}0`,
    zeroAddress.slice(0, -1),
    `0X${'1'.repeat(40)}`,
    ` 0x${'1'.repeat(40)}`,
    `0x${'g'.repeat(40)}`,
    `0x${'1'.repeat(40)}\n`,
  ])('neither accepts %j', (text) => {
    expect(z.safeDecode(address, text).success).toBe(false)
    expect(z.safeDecode(payee, text).success).toBe(false)
  })
})

describe('numbers', () => {
  const limits = [
    { name: 'TOK wei', codec: tokWei, max: maxUint128 },
    { name: 'USDC units', codec: usdcUnits, max: maxUint128 },
    { name: 'a nonce', codec: nonce, max: maxUint256 },
  ]

  test.each(limits)('$name: a decimal string is rejected or round-trips unchanged', ({ codec, max }) => {
    const digits = fc.oneof(
      fc.bigInt({ min: -2n, max: max + 2n }).map(String),
      fc.constantFrom(max, max + 1n).map(String),
    )
    fc.assert(
      fc.property(fc.oneof(digits, fc.string()), (text) => {
        const read = z.safeDecode(codec, text)
        if (read.success) expect(z.encode(codec, read.data)).toBe(text)
        else expect(/^(?:0|[1-9]\d*)$/.test(text) && BigInt(text) <= max).toBe(false)
      }),
      { numRuns: runs(500) },
    )
  })

  test.each(limits)('$name: the limits', ({ codec, max }) => {
    expect(z.decode(codec, '0')).toBe(0n)
    expect(z.decode(codec, String(max))).toBe(max)
    for (const text of [
      String(max + 1n),
      '-1',
      '+1',
      '01',
      '00',
      '1.0',
      '1e3',
      '0x1',
      '1 ',
      '1,000',
      '',
      '9'.repeat(100_000),
    ]) {
      expect(z.safeDecode(codec, text).success, text.slice(0, 90)).toBe(false)
    }
    expect(z.safeEncode(codec, max + 1n).success).toBe(false)
    expect(z.safeEncode(codec, -1n).success).toBe(false)
  })

  test.each([
    { name: 'seconds', codec: seconds, max: 2 ** 40 - 1 },
    { name: 'a share', codec: shareBps, max: 10_000 },
    { name: 'a milestone', codec: milestone, max: 15 },
  ])('$name: whole JSON numbers up to $max', ({ codec, max }) => {
    for (const number of [0, 1, max]) {
      expect(z.decode(codec, number)).toBe(BigInt(number))
      expect(z.encode(codec, BigInt(number))).toBe(number)
    }
    for (const number of [-1, 0.5, max + 1, Number.NaN, Number.POSITIVE_INFINITY, '1' as never]) {
      expect(z.safeDecode(codec, number).success, String(number)).toBe(false)
    }
    // 2^64 as a double is a whole number too, and still too large.
    for (const inside of [-1n, BigInt(max) + 1n, 2n ** 64n, 2n ** 2_000n]) {
      expect(z.safeEncode(codec, inside).success, String(inside)).toBe(false)
    }
  })
})

describe('bytes', () => {
  const hash = `0x${'aB'.repeat(32)}`

  test('are kept in lower case', () => {
    expect(z.decode(bytes32, hash)).toBe(hash.toLowerCase())
    expect(z.decode(signatureBytes, `0x${'AB'.repeat(65)}`)).toBe(`0x${'ab'.repeat(65)}`)
  })

  test('of a hash are 32', () => {
    for (const text of [`0x${'ab'.repeat(31)}`, `0x${'ab'.repeat(33)}`, `${hash}0`, hash.slice(2), `${hash}\n`, '0x']) {
      expect(z.safeDecode(bytes32, text).success, text).toBe(false)
    }
  })

  test('of a signature are 65 to 4,096', () => {
    const bySize = (bytes: number) => z.safeDecode(signatureBytes, `0x${'ab'.repeat(bytes)}`).success
    expect([64, 65, 4_096, 4_097].map(bySize)).toEqual([false, true, true, false])
  })

  test('of a given hash are not all zero', () => {
    expect(z.decode(nonZeroHash, hash)).toBe(hash.toLowerCase())
    expect(z.safeDecode(nonZeroHash, `0x${'00'.repeat(32)}`).success).toBe(false)
  })

  test('come with a nonce and an expiry, and nothing else', () => {
    const wire = { nonce: '7', expiry: 1_800_000_000, data: `0x${'ab'.repeat(65)}` }
    expect(z.decode(signature, wire)).toEqual({ nonce: 7n, expiry: 1_800_000_000n, data: wire.data })
    expect(z.safeDecode(signature, { ...wire, chainId: 1 } as never).success).toBe(false)
  })
})
