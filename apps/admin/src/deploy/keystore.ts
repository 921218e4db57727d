import { createDecipheriv, pbkdf2, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { bytesToHex, concat, type Hex, hexToBytes, isAddressEqual, keccak256, sliceBytes } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { AdminError } from '../adminError.ts'

const hex = z
  .string()
  .regex(/^(0x)?([0-9a-fA-F]{2})+$/)
  .transform((text): Hex => `0x${text.replace(/^0x/, '')}`)
const kdf = z.union([
  z.object({
    kdf: z.literal('scrypt'),
    // Bounds: a file must not make us use more than a gigabyte or a minute.
    kdfparams: z.object({
      n: z.int().max(2 ** 20),
      r: z.int().max(8),
      p: z.int().max(16),
      dklen: z.literal(32),
      salt: hex,
    }),
  }),
  z.object({
    kdf: z.literal('pbkdf2'),
    kdfparams: z.object({ c: z.int().max(10_000_000), dklen: z.literal(32), prf: z.literal('hmac-sha256'), salt: hex }),
  }),
])
const keystore = z.object({
  version: z.literal(3),
  address: hex.optional(),
  crypto: z.intersection(
    z.object({
      cipher: z.literal('aes-128-ctr'),
      cipherparams: z.object({ iv: hex }),
      ciphertext: hex,
      mac: hex,
    }),
    kdf,
  ),
})

/** Decrypts a keystore file (version 3, as geth, cast and most wallets write it). Errors never contain the password or the key. */
export async function decryptKeystore(text: string, password: string): Promise<PrivateKeyAccount> {
  const parsed = keystore.safeParse(parseJson(text))
  if (!parsed.success) throw new AdminError('The keystore is not a keystore of version 3.')
  const { address, crypto } = parsed.data
  const key = await deriveKey(crypto, password)
  const ciphertext = hexToBytes(crypto.ciphertext)
  const mac = keccak256(concat([sliceBytes(key, 16, 32), ciphertext]))
  if (mac !== crypto.mac.toLowerCase()) throw new AdminError('The password does not open the keystore.')
  const decipher = createDecipheriv('aes-128-ctr', sliceBytes(key, 0, 16), hexToBytes(crypto.cipherparams.iv))
  const account = privateKeyToAccount(bytesToHex(Buffer.concat([decipher.update(ciphertext), decipher.final()])))
  if (address && !isAddressEqual(address, account.address))
    throw new AdminError(`The keystore says ${address}, but its key is that of ${account.address}.`)
  return account
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const runScrypt = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)
const runPbkdf2 = promisify(pbkdf2)

async function deriveKey(crypto: z.output<typeof kdf>, password: string): Promise<Uint8Array> {
  const salt = hexToBytes(crypto.kdfparams.salt)
  if (crypto.kdf === 'pbkdf2') return runPbkdf2(password, salt, crypto.kdfparams.c, 32, 'sha256')
  const { n, r, p } = crypto.kdfparams
  return runScrypt(password, salt, 32, { N: n, r, p, maxmem: 128 * n * r + 2 ** 20 })
}
