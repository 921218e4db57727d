import { join } from 'node:path'
import { restoreBackup, writeBackup } from '../../apps/admin/src/backup/backup.ts'
import { compileCache } from './env.ts'

const locate = (folder: string) => join(folder, 'market.backup')

/** Backs up a database to a file in a folder, as `svc-admin backup` does. There are no keys. */
export async function backUp(url: string, folder: string): Promise<string> {
  const file = locate(folder)
  const none = { recipient: undefined, withKeys: false, envFiles: [], paths: [] }
  await writeBackup({ url, file, environment: compileCache.env(), ...none })
  return file
}

/** Restores that file into a database where no service has written yet. */
export const restore = (url: string, folder: string) =>
  restoreBackup({ url, file: locate(folder), identity: undefined, keysTo: undefined, environment: compileCache.env() })
