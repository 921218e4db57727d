import { createECDH, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPrivateKey } from '@svc/serve'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The secrets of a market, which its first start creates. */
export interface MarketKeys {
  /** Signs receipts. */
  store: LocalAccount
  /** Pays for calls. */
  keeper: LocalAccount
  /** Reads disputed work. */
  clerk: LocalAccount
  /** Encrypts contact data. */
  contacts: string
  /** Signs push messages. */
  push: string
  files: Readonly<Record<'store' | 'keeper' | 'clerk', string>>
}

/** Reads the keys of the data folder, and creates those that are missing. Only their owner can read them. */
export async function ensureMarketKeys(dataDir: string): Promise<MarketKeys> {
  const folder = join(dataDir, 'keys')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ensure = async (name: string, create: () => string): Promise<string> => {
    const file = join(folder, `${name}.key`)
    // A file that is there is never replaced: the store's key is in the terms of tasks.
    await writeFile(file, `${create()}\n`, { mode: 0o400, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return file
  }
  const ensureText = async (name: string, create: () => string) =>
    (await readFile(await ensure(name, create), 'utf8')).trim()
  const ensureWallet = async (name: string) => {
    const file = await ensure(name, generatePrivateKey)
    return { file, account: privateKeyToAccount(await readPrivateKey('SVC_DATA_DIR', undefined, file)) }
  }
  const [store, keeper, clerk, contacts, push] = await Promise.all([
    ensureWallet('store'),
    ensureWallet('keeper'),
    ensureWallet('clerk'),
    ensureText('contacts', () => `1:${randomBytes(32).toString('base64')}`),
    ensureText('push', createPushKey),
  ])
  return {
    store: store.account,
    keeper: keeper.account,
    clerk: clerk.account,
    contacts,
    push,
    files: { store: store.file, keeper: keeper.file, clerk: clerk.file },
  }
}

/** A key of VAPID: 32 bytes, also if they begin with zeros. */
function createPushKey(): string {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
}
