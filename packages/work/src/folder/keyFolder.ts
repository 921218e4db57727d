import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '@svc/protocol'
import type { Address } from 'viem'
import { type DeviceKeys, encodeDeviceKeys, type KeyStore, parseDeviceKeys } from '../deviceKeys.ts'
import { writeFileSafely } from './writeFileSafely.ts'

/**
 * Creates a key store in a folder: one file for each wallet, which only its owner can read. Throws KEYS_EXPOSED for a file that
 * others can read, and INVALID_KEYS for one that was damaged; neither is ever overwritten.
 *
 * @example
 * ```ts
 * const keyStore = createKeyFolder(join(homedir(), '.svc', 'keys'))
 * ```
 */
export function createKeyFolder(folder: string): KeyStore {
  const locate = (wallet: Address) => join(folder, `${wallet.toLowerCase()}.json`)
  const load = async (wallet: Address): Promise<DeviceKeys | null> => {
    const path = locate(wallet)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (text === null) return null
    if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0) {
      throw new SvcError('KEYS_EXPOSED', `Others can read ${path}.`, { hint: `Run "chmod 600 ${path}".` })
    }
    const keys = parseDeviceKeys(parseJson(text))
    if (keys?.wallet.toLowerCase() !== wallet.toLowerCase()) {
      throw new SvcError('INVALID_KEYS', `${path} does not hold the keys of ${wallet}.`, {
        hint: 'Restore it from a backup, or move it away to create new keys.',
      })
    }
    return keys
  }
  return {
    load,
    async save(keys) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // A damaged file may still hold the only copy of a key: this throws.
      await load(keys.wallet)
      await writeFileSafely(locate(keys.wallet), `${JSON.stringify(encodeDeviceKeys(keys), null, 2)}\n`)
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
