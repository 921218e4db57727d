import { type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createSignatureVerifier, verifyKeySignature } from './signatures.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const signer = privateKeyToAccount(toHex(1, { size: 32 }))
const { address } = signer
const hash = toHex(2, { size: 32 })
const signature = await signer.sign({ hash })

const s = BigInt(`0x${signature.slice(66, 130)}`)
const otherV = signature.endsWith('1b') ? '1c' : '1b'
const respelled: [string, Hex][] = [
  ['with the high s', `${signature.slice(0, 66)}${toHex(order - s, { size: 32 }).slice(2)}${otherV}` as Hex],
  ['with v of 0 or 1', `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}` as Hex],
  ['in upper case', `0x${signature.slice(2).toUpperCase()}`],
]

test('a key signature is valid only for its key and its hash', async () => {
  expect(await verifyKeySignature({ address, hash, signature })).toBe(true)
  expect(await verifyKeySignature({ address, hash: toHex(3, { size: 32 }), signature })).toBe(false)
  expect(await verifyKeySignature({ address: toHex(3, { size: 20 }), hash, signature })).toBe(false)
  expect(await verifyKeySignature({ address, hash, signature: `0x${'00'.repeat(64)}1b` })).toBe(false)
  expect(await verifyKeySignature({ address, hash, signature: `${signature}00` })).toBe(false)
})

test.each(respelled)('a key signature %s is rejected, even if the chain would accept it', async (_, other) => {
  expect(await verifyKeySignature({ address, hash, signature: other })).toBe(false)
  expect(await createSignatureVerifier(async () => true)({ address, hash, signature: other })).toBe(false)
})

test('the chain decides about signatures of contract wallets', async () => {
  const check = { address: toHex(9, { size: 20 }), hash, signature }
  const long = { ...check, signature: `0x${'ab'.repeat(200)}` as const }
  for (const question of [check, long]) {
    expect(await createSignatureVerifier(async (asked) => asked === question)(question)).toBe(true)
    expect(await createSignatureVerifier(async () => false)(question)).toBe(false)
  }
  expect(await createSignatureVerifier(async () => false)({ address, hash, signature })).toBe(true)
})
