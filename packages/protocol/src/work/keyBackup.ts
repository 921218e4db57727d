import { armor, Decrypter, Encrypter } from 'age-encryption'
import * as z from 'zod/mini'
import { address } from '../base/wire.ts'
import { workLimits } from './limits.ts'
import { type CanonicalDocument, encodeCanonical, parseCanonical } from './parseCanonical.ts'
import { assertWork, WorkError } from './workError.ts'

/** The keys of a wallet's device, as they are backed up. Encrypt them before they leave the device. */
export const keyBackup = z.strictObject({
  version: z.literal(1),
  wallet: address,
  readingIdentity: z
    .string()
    .check(z.regex(/^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/, 'not the secret half of a reading key')),
  devicePrivateKey: z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-f]{64}$/, 'not a private key'))]),
})
export type KeyBackup = z.output<typeof keyBackup>

const document = {
  name: 'key backup',
  schema: keyBackup,
  code: 'INVALID_BACKUP',
  maxBytes: workLimits.vaultBytes,
} as const satisfies CanonicalDocument<typeof keyBackup>

/** The cost of one guess at the passphrase: 2^18, age's own default, takes about a second. */
const defaultWorkFactor = 18

/** The shortest passphrase that a backup takes. */
export const minPassphraseLength = 12

/**
 * Encrypts a key backup with a passphrase: the recovery file that a person keeps, or the vault file of a store. The result is
 * an armored age file, which `age --decrypt` opens too.
 *
 * @example
 * ```ts
 * const text = await encryptKeyBackup({ version: 1, wallet, readingIdentity, devicePrivateKey }, passphrase)
 * ```
 */
export async function encryptKeyBackup(
  backup: KeyBackup,
  passphrase: string,
  { workFactor = defaultWorkFactor }: { workFactor?: number } = {},
): Promise<string> {
  assertWork(
    passphrase.length >= minPassphraseLength,
    'INVALID_BACKUP',
    `The passphrase has fewer than ${minPassphraseLength} characters.`,
  )
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase.normalize('NFC'))
  encrypter.setScryptWorkFactor(workFactor)
  return armor.encode(await encrypter.encrypt(encodeCanonical(document, backup)))
}

/**
 * Decrypts a key backup. Throws {@link WorkError} for a wrong passphrase and for a file that is not a key backup.
 *
 * @example
 * ```ts
 * const { readingIdentity } = await decryptKeyBackup(text, passphrase)
 * ```
 */
export async function decryptKeyBackup(text: string, passphrase: string): Promise<KeyBackup> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase.normalize('NFC'))
  return parseKeyBackup(await decryptArmored(text, decrypter))
}

/** Parses a decrypted key backup. Throws {@link WorkError} for anything else. */
function parseKeyBackup(bytes: Uint8Array): KeyBackup {
  return parseCanonical(document, bytes)
}

async function decryptArmored(text: string, decrypter: Decrypter): Promise<Uint8Array> {
  assertWork(text.length <= 2 * workLimits.vaultBytes, 'INVALID_BACKUP', 'The file is too large for a key backup.')
  try {
    return await decrypter.decrypt(armor.decode(text))
  } catch (cause) {
    throw new WorkError('INVALID_BACKUP', 'The passphrase is wrong, or the file is not a key backup.', { cause })
  }
}
