import { hashMailLine, isThreadMessage } from '@svc/protocol/internal/talk'
import type { Transport } from '@svc/protocol/negotiation'
import { parseMailLine } from '@svc/protocol/talk'
import { isAddressEqual } from 'viem'
import type { Mailbox } from './mailbox.ts'
import { openItem } from './mailbox.ts'
import type { StoreConnection } from './storeConnection.ts'

/** How far negotiations were read in a mailbox. */
export interface MailCursorStore {
  load: () => Promise<string | null>
  save: (cursor: string) => Promise<void>
}

const pollMs = 2_000

/**
 * A transport of negotiations over a mailbox: the same interface as files and XMTP. Messages of threads are passed over. `wait`
 * resolves after a time or when the signal aborts.
 *
 * @example
 * ```ts
 * const transport = createMailboxTransport({ mailbox, store, cursor })
 * ```
 */
export function createMailboxTransport({
  mailbox,
  store,
  cursor,
  wait = waitFor,
}: {
  mailbox: Mailbox
  store: StoreConnection
  cursor: MailCursorStore
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}): Transport {
  return {
    send: (to, text) => mailbox.send(parseMailLine(text), [to]),
    async *receive(signal) {
      for (;;) {
        const after = await cursor.load()
        const { body } = await store.calls.listMail(after === null ? {} : { after })
        for (const { sealed, from, postedAt, number, id } of body.items) {
          const done = () => cursor.save(`${number}.${id.slice(2)}`)
          const item = await openItem(sealed, { from, postedAt }, mailbox.keys)
          const isOwn = item !== null && isAddressEqual(item.from, mailbox.wallet)
          if (!item || isOwn || isThreadMessage(item.message) || hashMailLine(item.line) !== id) await done()
          else yield { text: item.line, done }
        }
        if (body.hasMore) continue
        if (signal.aborted) return
        await wait(pollMs, signal)
      }
    },
    close: async () => {},
  }
}

const waitFor = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', end, { once: true })
  })
