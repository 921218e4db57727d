import type { VerifySignature } from '@svc/protocol/negotiation'
import {
  buildStatementMessage,
  checkStatement,
  createReadingKey,
  getReadingKey,
  hashStatement,
  type KeyBackup,
  parseStatementMessage,
  type SignedStatement,
  workLimits,
} from '@svc/protocol/work'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

/** The keys of a wallet on this device, with the statement that makes them known. */
export interface DeviceKeys extends KeyBackup {
  /** Null until the wallet has signed. */
  statement: SignedStatement | null
  /** Secret halves of earlier reading keys. They still open old bundles. */
  formerIdentities: readonly string[]
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
  const { wallet, keyStore } = options
  const stored = await keyStore.load(wallet)
  if (stored?.statement && isUsable(stored.statement, options)) return stored
  const keys = stored ?? (await createKeys(wallet))
  if (!stored) await keyStore.save(keys)
  return signAndSave(keys, [], options)
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
  return signAndSave(keys, revokes, options)
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

async function signAndSave(
  keys: DeviceKeys,
  revokes: readonly Hex[],
  { keyStore, signMessage, verifySignature, domain, chainId, now }: EnsureKeysOptions,
): Promise<DeviceKeys> {
  const message = buildStatementMessage({
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
  const statement = { message, signature: await signMessage(message) }
  await checkStatement(statement, { domains: [domain], chainId, now, wallet: keys.wallet, verifySignature })
  const signed = { ...keys, statement }
  await keyStore.save(signed)
  return signed
}

const week = 7 * 86_400

function isUsable({ message }: SignedStatement, { domain, chainId, now }: EnsureKeysOptions): boolean {
  const statement = parseStatementMessage(message)
  return statement.domain === domain && statement.chainId === chainId && statement.expiresAt > now + week
}
