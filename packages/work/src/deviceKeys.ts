import { type KeyBackup, keyBackup, signedStatement } from '@svc/protocol/internal/work'
import type { VerifySignature } from '@svc/protocol/negotiation'
import {
  buildStatementMessage,
  checkStatement,
  createReadingKey,
  getReadingKey,
  hashStatement,
  parseStatementMessage,
  type SignedStatement,
  WorkError,
  workLimits,
} from '@svc/protocol/work'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import * as z from 'zod/mini'

/** The keys of a wallet on this device, with the statement that makes them known. */
export interface DeviceKeys extends KeyBackup {
  /** Null until the wallet has signed. */
  statement: SignedStatement | null
  /** Secret halves of earlier reading keys. They still open old bundles. */
  formerIdentities: readonly string[]
}

const storedKeys = z.extend(keyBackup, {
  statement: z.nullable(signedStatement),
  formerIdentities: z.array(keyBackup.shape.readingIdentity),
})

/** Encodes keys as the plain JSON that a {@link KeyStore} keeps. */
export const encodeDeviceKeys = (keys: DeviceKeys): object =>
  z.encode(storedKeys, { ...keys, formerIdentities: [...keys.formerIdentities] })

/** Parses keys from a {@link KeyStore}. Returns null for anything else: such a value may be a damaged key, so keep it. */
export function parseDeviceKeys(stored: unknown): DeviceKeys | null {
  const { success, data } = z.safeParse(storedKeys, stored)
  return success ? data : null
}

/** Where keys are kept: a folder, or IndexedDB in a browser. */
export interface KeyStore {
  load: (wallet: Address) => Promise<DeviceKeys | null>
  save: (keys: DeviceKeys) => Promise<void>
}

/** Where a statement is valid. From the configuration, never from a store: a store could ask for a sign-in somewhere else. */
export interface SignInContext {
  domain: string
  chainId: number
}

export interface EnsureKeysOptions extends SignInContext {
  wallet: Address
  keyStore: KeyStore
  /** Asks the wallet for a signature (`personal_sign`). It is called only if there is no usable statement. */
  signMessage: (message: string) => Promise<Hex>
  verifySignature: VerifySignature
  /** Unix seconds. */
  now: number
}

/**
 * Loads the keys of a wallet, or creates them, and sees to it that they have a statement that is valid for another week. The
 * keys are stored before the wallet is asked, so that no signed statement can name a lost key.
 *
 * @example
 * ```ts
 * const keys = await ensureKeys({ wallet, keyStore, domain, chainId, signMessage, verifySignature, now })
 * ```
 */
export async function ensureKeys(options: EnsureKeysOptions): Promise<DeviceKeys> {
  const { keys, message } = await beginSignIn(options)
  if (message === null) return keys
  return completeSignIn({ message, signature: await options.signMessage(message) }, options)
}

/**
 * The first half of {@link ensureKeys}, for a wallet that signs elsewhere. Returns the message that it must sign with
 * `personal_sign`, or null if a statement is usable already.
 *
 * @example
 * ```ts
 * const { message } = await beginSignIn({ wallet, keyStore, domain, chainId, now })
 * ```
 */
export async function beginSignIn(
  options: Omit<EnsureKeysOptions, 'signMessage' | 'verifySignature'>,
): Promise<{ keys: DeviceKeys; message: string | null }> {
  const { wallet, keyStore } = options
  const stored = await keyStore.load(wallet)
  if (stored?.statement && isUsable(stored.statement, options)) return { keys: stored, message: null }
  const keys = stored ?? (await createKeys(wallet))
  if (!stored) await keyStore.save(keys)
  return { keys, message: await buildSignIn(keys, [], options) }
}

/**
 * The second half of {@link ensureKeys}: checks the signed message and stores it with the keys. Throws `WorkError` for a message
 * that names other keys than those of this device: nobody could open what is sealed for it.
 *
 * @example
 * ```ts
 * const keys = await completeSignIn({ message, signature }, { wallet, keyStore, domain, chainId, verifySignature, now })
 * ```
 */
export async function completeSignIn(
  statement: SignedStatement,
  { wallet, keyStore, domain, chainId, verifySignature, now }: Omit<EnsureKeysOptions, 'signMessage'>,
): Promise<DeviceKeys> {
  const { readingKey, deviceKey } = await checkStatement(statement, {
    domains: [domain],
    chainId,
    now,
    wallet,
    verifySignature,
  })
  const keys = await keyStore.load(wallet)
  const isOwn =
    keys !== null &&
    readingKey === (await getReadingKey(keys.readingIdentity)) &&
    deviceKey === privateKeyToAddress(keys.devicePrivateKey)
  if (!isOwn) throw new WorkError('INVALID_STATEMENT', 'The statement names keys that this device does not have.')
  const signed = { ...keys, statement }
  await keyStore.save(signed)
  return signed
}

/**
 * Replaces the keys of a wallet: one signature names new keys and revokes the old statement. The former reading key is kept,
 * because old bundles are sealed for it.
 *
 * @example
 * ```ts
 * const keys = await rotateKeys({ wallet, keyStore, domain, chainId, signMessage, verifySignature, now })
 * ```
 */
export async function rotateKeys(options: EnsureKeysOptions): Promise<DeviceKeys> {
  const old = await options.keyStore.load(options.wallet)
  const created = await createKeys(options.wallet)
  const formerIdentities = old ? [old.readingIdentity, ...old.formerIdentities] : []
  const revokes = old?.statement ? [hashStatement(old.statement.message)] : []
  const keys = { ...created, formerIdentities }
  await options.keyStore.save(keys)
  const message = await buildSignIn(keys, revokes, options)
  return completeSignIn({ message, signature: await options.signMessage(message) }, options)
}

/**
 * Stores keys from a backup. What this device had is kept as a former key. The next {@link ensureKeys} asks for a signature.
 *
 * @example
 * ```ts
 * await restoreKeys(keyStore, await decryptKeyBackup(text, passphrase))
 * ```
 */
export async function restoreKeys(keyStore: KeyStore, backup: KeyBackup): Promise<DeviceKeys> {
  const old = await keyStore.load(backup.wallet)
  const known = old ? [old.readingIdentity, ...old.formerIdentities] : []
  const formerIdentities = known.filter((identity) => identity !== backup.readingIdentity)
  const keys = { ...backup, statement: null, formerIdentities }
  await keyStore.save(keys)
  return keys
}

/** Lists every identity that may open a bundle, newest first. */
export const listIdentities = ({ readingIdentity, formerIdentities }: DeviceKeys): string[] => [
  readingIdentity,
  ...formerIdentities,
]

async function createKeys(wallet: Address): Promise<DeviceKeys> {
  const { identity } = await createReadingKey()
  return {
    version: 1,
    wallet,
    readingIdentity: identity,
    devicePrivateKey: generatePrivateKey(),
    statement: null,
    formerIdentities: [],
  }
}

async function buildSignIn(
  keys: DeviceKeys,
  revokes: readonly Hex[],
  { domain, chainId, now }: Pick<EnsureKeysOptions, 'domain' | 'chainId' | 'now'>,
): Promise<string> {
  return buildStatementMessage({
    wallet: keys.wallet,
    readingKey: await getReadingKey(keys.readingIdentity),
    deviceKey: privateKeyToAddress(keys.devicePrivateKey),
    revokes,
    domain,
    chainId,
    nonce: crypto.randomUUID().replaceAll('-', ''),
    issuedAt: now,
    expiresAt: now + workLimits.statementLifetime,
  })
}

const week = 7 * 86_400

function isUsable(
  { message }: SignedStatement,
  { domain, chainId, now }: Pick<EnsureKeysOptions, 'domain' | 'chainId' | 'now'>,
): boolean {
  const statement = parseStatementMessage(message)
  return statement.domain === domain && statement.chainId === chainId && statement.expiresAt > now + week
}
