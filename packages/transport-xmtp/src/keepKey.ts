import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Hex } from 'viem'

/** The key of a database, in a file beside it that only its owner can read; made when there is none. */
export async function keepKey(dbPath: string): Promise<Hex> {
  const file = `${dbPath}.key`
  await mkdir(dirname(dbPath), { recursive: true, mode: 0o700 })
  const fresh = `0x${randomBytes(32).toString('hex')}`
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx', flush: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const kept = (await readFile(file, 'utf8')).trim()
  if (!/^0x[0-9a-f]{64}$/.test(kept)) throw new Error(`${file} is not the key of an XMTP database: put its copy back.`)
  return kept as Hex
}
