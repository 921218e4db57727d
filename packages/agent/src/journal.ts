import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Hex, isHex } from 'viem'
import * as z from 'zod'

const hex = z.custom<Hex>((value) => isHex(value))
const entry = z.object({
  hash: hex,
  nonce: z.int(),
  /** The signed transaction, to send it again. */
  raw: hex,
  action: z.string(),
  input: z.record(z.string(), z.unknown()),
})
const line = z.union([entry, z.object({ closed: hex })])

/** A transaction as it was signed, before it is sent. */
export type JournalEntry = z.output<typeof entry>

/** What was sent and has no end yet. */
export interface Journal {
  append: (entry: JournalEntry) => Promise<void>
  close: (hash: Hex) => Promise<void>
  listOpen: () => Promise<JournalEntry[]>
}

/**
 * Keeps a journal in a file of one JSON value per line, which only its owner can read. A line that a crash cut off was never sent.
 *
 * @example
 * ```ts
 * const journal = createJournalFile('./signer.jsonl')
 * ```
 */
export function createJournalFile(path: string): Journal {
  const write = async (value: z.input<typeof line>) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // The first line feed ends a line that a crash cut off.
    await appendFile(path, `\n${JSON.stringify(value)}\n`, { mode: 0o600, flush: true })
  }
  return {
    append: write,
    close: (hash) => write({ closed: hash }),
    async listOpen() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw error
      })
      const open = new Map<Hex, JournalEntry>()
      for (const each of text.split('\n')) {
        const { data } = line.safeParse(parseJson(each))
        if (data && 'closed' in data) open.delete(data.closed)
        else if (data) open.set(data.hash, data)
      }
      return [...open.values()]
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
