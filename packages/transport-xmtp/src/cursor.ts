import { readFile, rename, writeFile } from 'node:fs/promises'

/** How far each conversation was read, so that what was refused is not met again. */
export interface Cursor {
  after: (conversationId: string) => bigint
  /** Everything of the conversation up to here was dealt with. */
  move: (conversationId: string, sentAtNs: bigint) => Promise<void>
}

/** The most conversations that are remembered; the ones moved last stay. */
const maxConversations = 1_000

/** Keeps the cursor in a file, replaced as a whole. A file that cannot be read starts again: what was taken is known. */
export async function keepCursor(file: string): Promise<Cursor> {
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
