import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Hex } from 'viem'

/** How far each conversation was read, so that rejected messages are not read again. */
export interface ReadCursor {
  after: (conversationId: string) => bigint
  /** Marks all messages of the conversation up to this time as handled. */
  move: (conversationId: string, sentAtNs: bigint) => Promise<void>
}

/** The most conversations in the file. The most recent ones are kept. */
const maxConversations = 1_000

/** Loads the cursor from a file, which is replaced atomically on every move. An unreadable file starts over: duplicates are detected. */
export async function loadReadCursor(file: string): Promise<ReadCursor> {
  const seen = new Map(Object.entries(await read(file)))
  return {
    after: (id) => BigInt(seen.get(id) ?? 0),
    async move(id, sentAtNs) {
      seen.delete(id)
      seen.set(id, sentAtNs.toString())
      const kept = Object.fromEntries([...seen].slice(-maxConversations))
      await writeFile(`${file}.${process.pid}`, JSON.stringify(kept), { mode: 0o600 })
      await rename(`${file}.${process.pid}`, file)
    },
  }
}

async function read(file: string): Promise<Record<string, string>> {
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'))
    const entries = Object.entries(json as object).filter(
      ([, at]) => typeof at === 'string' && /^[0-9]{1,20}$/.test(at),
    )
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

/** Loads the key of a database from a file beside it that only its owner can read. Creates the key if there is none. */
export async function loadDatabaseKey(dbPath: string): Promise<Hex> {
  const file = `${dbPath}.key`
  await mkdir(dirname(dbPath), { recursive: true, mode: 0o700 })
  const fresh = `0x${randomBytes(32).toString('hex')}`
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx', flush: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const kept = (await readFile(file, 'utf8')).trim()
  if (!/^0x[0-9a-f]{64}$/.test(kept))
    throw new Error(`${file} does not contain an XMTP database key. Restore it from a backup.`)
  return kept as Hex
}
