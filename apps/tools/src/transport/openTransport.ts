import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@svc/protocol/negotiation'
import type { Address, LocalAccount } from 'viem'
import { createFileTransport } from './fileTransport.ts'
import { createStdioTransport } from './stdioTransport.ts'
import { TransportError } from './transport.ts'

/** The available transports. */
export const transportNames = ['file', 'stdio', 'xmtp', 'store'] as const

/** The configuration of a transport. */
export interface TransportParts {
  name: (typeof transportNames)[number]
  me: Address
  /** The account of `me` if the command signs. XMTP needs it once, to register the wallet. */
  account: LocalAccount | null
  mailbox: string
  input: Readable
  output: Writable
  xmtp: { network: 'local' | 'dev' | 'production'; dbPath: string }
  /** Opens the mailbox of `me` at a store. */
  openStore: () => Promise<Transport>
}

/** Opens a transport by name. Throws `TransportError`, also if the XMTP package or its binary is missing. */
export async function openTransport({
  name,
  me,
  account,
  mailbox,
  input,
  output,
  xmtp,
  openStore,
}: TransportParts): Promise<Transport> {
  if (name === 'file') return createFileTransport(mailbox, me)
  if (name === 'stdio') return createStdioTransport(input, output)
  if (name === 'store') return openStore()
  const { createXmtpTransport } = await import('@svc/transport-xmtp').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new TransportError('XMTP is optional and not installed. Install @svc/transport-xmtp.')
  })
  const wrapErrors = async <T>(work: () => Promise<T>) =>
    work().catch((error: unknown) => Promise.reject(toTransportError(error)))
  const { publicKey, send, receive, close } = await wrapErrors(() => createXmtpTransport({ me, account, ...xmtp }))
  return {
    publicKey,
    send: (to, text) => wrapErrors(() => send(to, text)),
    async *receive(signal) {
      const iterator = receive(signal)[Symbol.asyncIterator]()
      try {
        for (;;) {
          const next = await wrapErrors(() => iterator.next())
          if (next.done) return
          yield next.value
        }
      } finally {
        await iterator.return?.()
      }
    },
    close,
  }
}

/** Any error of the SDK means that the message was not delivered. */
function toTransportError(error: unknown): TransportError {
  return new TransportError(error instanceof Error ? error.message : String(error), { cause: error })
}
