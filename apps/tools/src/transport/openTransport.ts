import type { Readable, Writable } from 'node:stream'
import type { Address, LocalAccount } from 'viem'
import { createFileTransport } from './fileTransport.ts'
import { createStdioTransport } from './stdioTransport.ts'
import { type Transport, TransportError } from './transport.ts'

/** What can carry messages. */
export const transportNames = ['file', 'stdio', 'xmtp'] as const

/** What transports are made of. */
export interface TransportParts {
  name: (typeof transportNames)[number]
  me: Address
  /** Signs for `me`, where the command signs; XMTP needs it once, to make the wallet known. */
  account: LocalAccount | null
  mailbox: string
  input: Readable
  output: Writable
  xmtp: { network: 'local' | 'dev' | 'production'; dbPath: string }
}

/** Opens a transport by its name. Throws `TransportError`, also where XMTP's package or its binary is missing. */
export async function openTransport({
  name,
  me,
  account,
  mailbox,
  input,
  output,
  xmtp,
}: TransportParts): Promise<Transport> {
  if (name === 'file') return createFileTransport(mailbox, me)
  if (name === 'stdio') return createStdioTransport(input, output)
  const { createXmtpTransport } = await import('@svc/transport-xmtp').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new TransportError('XMTP is an optional part: install @svc/transport-xmtp beside this package.')
  })
  const carried = async <T>(work: () => Promise<T>) => work().catch((error: unknown) => Promise.reject(failed(error)))
  const { publicKey, send, receive, close } = await carried(() => createXmtpTransport({ me, account, ...xmtp }))
  return {
    publicKey,
    send: (to, text) => carried(() => send(to, text)),
    async *receive(signal) {
      const arrivals = receive(signal)[Symbol.asyncIterator]()
      try {
        for (;;) {
          const next = await carried(() => arrivals.next())
          if (next.done) return
          yield next.value
        }
      } finally {
        await arrivals.return?.()
      }
    },
    close,
  }
}

/** Whatever the SDK says, the message was not carried. */
function failed(error: unknown): TransportError {
  return new TransportError(error instanceof Error ? error.message : String(error), { cause: error })
}
