import { randomUUID } from 'node:crypto'
import { constants, watch } from 'node:fs'
import { mkdir, open, opendir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type InboundMessage, maxMessageBytes, type Transport } from '@svc/protocol/negotiation'
import type { Address } from 'viem'
import { TransportError } from './transport.ts'

/** The maximum number of messages in one mailbox. */
const maxWaiting = 1_000
/** Polls as well, because network folders do not report changes. */
const pollIntervalMs = 500

/**
 * A transport over mailboxes in a shared folder, one for each wallet. A message is written next to the mailbox and then moved into
 * it, so that nobody reads an incomplete one. It does not know the senders; signatures prove them.
 */
export function createFileTransport(root: string, me: Address): Transport {
  const mailbox = resolveMailbox(root, me)
  let lastSent = 0
  return {
    async send(to, text) {
      const theirs = resolveMailbox(root, to)
      try {
        for (const folder of [theirs.tmp, theirs.new]) await mkdir(folder, { recursive: true, mode: 0o700 })
        if ((await listWaiting(theirs.new)).length >= maxWaiting)
          throw new TransportError(
            `The mailbox of ${to} is full (${maxWaiting} messages). Ask them to run svc-negotiate receive.`,
          )
        // Names sort by time, so that messages are read in order; two of one millisecond too.
        lastSent = Math.max(Date.now(), lastSent + 1)
        const name = `${String(lastSent).padStart(15, '0')}-${randomUUID()}.json`
        await writeFile(join(theirs.tmp, name), text, { mode: 0o600, flag: 'wx', flush: true })
        await rename(join(theirs.tmp, name), join(theirs.new, name))
      } catch (error) {
        throw toTransportError(error, `Cannot write to the mailbox ${theirs.new}`)
      }
    },
    async *receive(signal) {
      const { changed, stop } = await observe(mailbox.new, signal)
      try {
        for (;;) {
          for (const name of (await listWaiting(mailbox.new)).sort()) {
            const arrival = await read(join(mailbox.new, name))
            if (arrival) yield arrival
          }
          if (signal.aborted) return
          await changed()
        }
      } catch (error) {
        throw toTransportError(error, `Cannot read the mailbox ${mailbox.new}`)
      } finally {
        stop()
      }
    },
    close: async () => {},
  }
}

function resolveMailbox(root: string, wallet: Address): { tmp: string; new: string } {
  const folder = join(root, wallet.toLowerCase())
  return { tmp: join(folder, 'tmp'), new: join(folder, 'new') }
}

async function listWaiting(folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder)) if (names.push(name) >= maxWaiting) break
  return names
}

/** Reads one file. Returns null if another reader removed it. Reads just enough of a too long file to get it rejected. */
async function read(path: string): Promise<InboundMessage | null> {
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
    // A link or a folder in a mailbox is not a message. Remove it.
    if (code === 'ELOOP' || code === 'EISDIR') {
      return { text: '', done: () => rm(path, { recursive: true, force: true }) }
    }
    throw error
  }
}

/** Watches a folder and wakes up on a change or after the poll interval. */
async function observe(folder: string, signal: AbortSignal) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let [wake, seen] = [() => {}, false]
  const wakeUp = () => {
    seen = true
    wake()
  }
  const watcher = watch(folder, wakeUp).on('error', () => {})
  signal.addEventListener('abort', wakeUp)
  return {
    async changed() {
      if (!seen) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollIntervalMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      seen = false
    },
    stop() {
      signal.removeEventListener('abort', wakeUp)
      watcher.close()
    },
  }
}

function toTransportError(error: unknown, what: string): unknown {
  if (error instanceof TransportError) return error
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? error : new TransportError(`${what}: ${code}.`)
}
