import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod/mini'
import { type MailLog, maxLogged, type SavedItem } from '../mailbox.ts'
import type { MailCursorStore } from '../mailboxTransport.ts'
import { writeFileSafely } from './writeFileSafely.ts'

const address = z.pipe(
  z.string().check(z.refine((text) => isAddress(text), 'not an address')),
  z.transform((text) => getAddress(text)),
)
const entry = z.union([
  z.object({ cursor: z.nullable(z.string()) }),
  z.object({
    line: z.string(),
    from: address,
    postedAt: z.number(),
    to: z.optional(z.array(address)),
    task: z.optional(z.string()),
    isWaiting: z.optional(z.boolean()),
  }),
])

/**
 * Keeps the messages of a wallet in a file that only its owner can read, one JSON value per line. What a crash cut off is read
 * from the store again.
 *
 * @example
 * ```ts
 * const log = createMailFolder(join(stateFolder, 'mail'), wallet, store.address)
 * ```
 */
export function createMailFolder(folder: string, wallet: Address, store: Address): MailLog {
  const path = join(folder, `${wallet.toLowerCase()}-${store.toLowerCase()}.jsonl`)
  return {
    async load() {
      const items: SavedItem[] = []
      let cursor: string | null = null
      for (const line of (await readText(path)).split('\n')) {
        const { success, data } = z.safeParse(entry, parseJson(line))
        if (!success) continue
        if ('cursor' in data) cursor = data.cursor
        else items.push(data)
      }
      return { cursor, items: items.slice(-maxLogged) }
    },
    async append(items, cursor) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const lines = [...items, { cursor }].map((each) => `${JSON.stringify(each)}\n`)
      // The first line feed ends a line that a crash cut off.
      await appendFile(path, `\n${lines.join('')}`, { mode: 0o600, flush: true })
    },
  }
}

/**
 * Keeps in a file how far the negotiations of a mailbox were read.
 *
 * @example
 * ```ts
 * const cursor = createMailCursor(join(stateFolder, 'mail'), wallet, store.address)
 * ```
 */
export function createMailCursor(folder: string, wallet: Address, store: Address): MailCursorStore {
  const path = join(folder, `${wallet.toLowerCase()}-${store.toLowerCase()}.cursor`)
  return {
    async load() {
      const text = (await readText(path)).trim()
      return /^\d{1,15}\.[0-9a-f]{64}$/.test(text) ? text : null
    },
    async save(cursor) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFileSafely(path, `${cursor}\n`)
    },
  }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
