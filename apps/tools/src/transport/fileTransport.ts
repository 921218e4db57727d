import { randomUUID } from 'node:crypto'
import { constants, watch } from 'node:fs'
import { mkdir, open, opendir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { maxMessageBytes } from '@svc/protocol/negotiation'
import type { Address } from 'viem'
import { type Arrival, type Transport, TransportError } from './transport.ts'

/** The most messages that wait in one mailbox. */
const maxWaiting = 1_000
/** Folders that are synced or far away do not tell of changes. */
const lookAgainMs = 500

/**
 * Mailboxes in a folder that both parties reach, one for each wallet: a message is written beside the mailbox and moved into it,
 * so that nobody reads half of one. It knows nothing of who wrote what: the seals do.
 */
export function createFileTransport(root: string, me: Address): Transport {
  const mailbox = mailboxOf(root, me)
  return {
    async send(to, text) {
      const theirs = mailboxOf(root, to)
      try {
        for (const folder of [theirs.tmp, theirs.new]) await mkdir(folder, { recursive: true, mode: 0o700 })
        if ((await waiting(theirs.new)).length >= maxWaiting) throw new TransportError(`The mailbox of ${to} is full.`)
        // Names sort by time, so that a reader meets messages in their order.
        const name = `${String(Date.now()).padStart(15, '0')}-${randomUUID()}.json`
        await writeFile(join(theirs.tmp, name), text, { mode: 0o600, flag: 'wx', flush: true })
        await rename(join(theirs.tmp, name), join(theirs.new, name))
      } catch (error) {
        throw failed(error, `Cannot write to the mailbox ${theirs.new}`)
      }
    },
    async *receive(signal) {
      const { changed, stop } = await observe(mailbox.new, signal)
      try {
        for (;;) {
          for (const name of (await waiting(mailbox.new)).sort()) {
            const arrival = await read(join(mailbox.new, name))
            if (arrival) yield arrival
          }
          if (signal.aborted) return
          await changed()
        }
      } catch (error) {
        throw failed(error, `Cannot read the mailbox ${mailbox.new}`)
      } finally {
        stop()
      }
    },
    close: async () => {},
  }
}

function mailboxOf(root: string, wallet: Address): { tmp: string; new: string } {
  const folder = join(root, wallet.toLowerCase())
  return { tmp: join(folder, 'tmp'), new: join(folder, 'new') }
}

async function waiting(folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder)) if (names.push(name) >= maxWaiting) break
  return names
}

/** The text of one file; null when another reader took it. Of one that is too long only as much as shows that. */
async function read(path: string): Promise<Arrival | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const { size } = await handle.stat()
      const bytes = Buffer.alloc(Math.min(size, maxMessageBytes + 1))
      let length = 0
      for (let more = -1; more !== 0; length += more) {
        more = (await handle.read(bytes, length, bytes.length - length)).bytesRead
      }
      return { text: bytes.toString('utf8', 0, length), done: () => rm(path, { recursive: true, force: true }) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    // A link or a folder in a mailbox: no message, and not to be met again.
    if (code === 'ELOOP' || code === 'EISDIR') {
      return { text: '', done: () => rm(path, { recursive: true, force: true }) }
    }
    throw error
  }
}

/** Waits for a change of a folder, at most a moment. */
async function observe(folder: string, signal: AbortSignal) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let [wake, seen] = [() => {}, false]
  const note = () => {
    seen = true
    wake()
  }
  const watcher = watch(folder, note).on('error', () => {})
  signal.addEventListener('abort', note)
  return {
    async changed() {
      if (!seen) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, lookAgainMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      seen = false
    },
    stop() {
      signal.removeEventListener('abort', note)
      watcher.close()
    },
  }
}

function failed(error: unknown, what: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? error : new TransportError(`${what}: ${code}.`)
}
