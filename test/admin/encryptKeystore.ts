import { createCipheriv, randomBytes, scryptSync } from 'node:crypto'
import { bytesToHex, concat, type Hex, hexToBytes, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Writes a keystore of version 3, as geth does, with a cheap key derivation. */
export async function encryptKeystore(key: Hex, password: string): Promise<string> {
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const params = { n: 1_024, r: 8, p: 1, dklen: 32 }
  const derived = scryptSync(password, salt, params.dklen, { N: params.n, r: params.r, p: params.p })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(hexToBytes(key)), cipher.final()])
  const strip = (bytes: Uint8Array) => bytesToHex(bytes).slice(2)
  return JSON.stringify({
    version: 3,
    address: privateKeyToAccount(key).address.slice(2).toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: strip(iv) },
      ciphertext: strip(ciphertext),
      kdf: 'scrypt',
      kdfparams: { ...params, salt: strip(salt) },
      mac: keccak256(concat([derived.subarray(16, 32), ciphertext])).slice(2),
    },
  })
}
