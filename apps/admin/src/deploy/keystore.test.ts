import { expect, test } from 'vitest'
import { decryptKeystore } from './keystore.ts'

/** The test vectors of the Web3 Secret Storage Definition. */
const secret = '0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b'
const pbkdf2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}

test('opens a keystore of the specification', async () => {
  expect((await decryptKeystore(JSON.stringify(pbkdf2), 'testpassword')).address).toBe(secret)
})

test.each([
  ['a wrong password', pbkdf2, 'wrong', 'The password does not open the keystore.'],
  ['another version', { ...pbkdf2, version: 1 }, 'testpassword', 'not a keystore of version 3'],
  ['another address', { ...pbkdf2, address: '00'.repeat(20) }, 'testpassword', 'but its key is that of'],
  [
    'a key derivation without end',
    { ...pbkdf2, crypto: { ...pbkdf2.crypto, kdfparams: { ...pbkdf2.crypto.kdfparams, c: 10 ** 12 } } },
    'testpassword',
    'not a keystore of version 3',
  ],
])('refuses %s', async (_, keystore, password, reason) => {
  await expect(decryptKeystore(JSON.stringify(keystore), password)).rejects.toThrow(reason)
})

test('an error never contains the password', async () => {
  await expect(decryptKeystore('{', 'hunter2')).rejects.toThrow(/^(?!.*hunter2)/)
})
