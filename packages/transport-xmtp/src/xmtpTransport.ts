import type { InboundMessage, Transport } from '@svc/protocol/negotiation'
import type { Client, ConsentState, DecodedMessage, IdentifierKind, LogLevel, SortDirection } from '@xmtp/node-sdk'
import { type Address, getAddress, type LocalAccount, toBytes } from 'viem'
import { codec, isNegotiationMessage } from './codec.ts'
import { loadSdk } from './loadSdk.ts'
import { loadDatabaseKey, loadReadCursor, type ReadCursor } from './localState.ts'

/** The wallet and network to join XMTP with. */
export interface XmtpOptions {
  me: Address
  /** Signs for `me`. Required once, to register a wallet that has no inbox in this database yet. */
  account: LocalAccount | null
  /** `local` is a node at localhost:5556. */
  network: 'local' | 'dev' | 'production'
  /** The database of the inbox. Keep it: messages can be read only with it, and a wallet has a limited number of installations. */
  dbPath: string
}

/** Sends and receives messages over XMTP, in the direct conversation of two wallets. */
export interface XmtpTransport extends Transport {
  /** The installation's key. */
  publicKey: string
}

/** Streams can break without an error, so conversations are also polled at this interval. */
const pollMs = 2_000
const timeoutMs = 30_000
/** Messages per page, and the most conversations that are read. */
const [pageSize, maxConversations] = [100, 1_000]

// The SDK declares these as const enums, which do not exist at run time when types are only stripped.
const ethereum = 0 as IdentifierKind.Ethereum
const silent = 'Off' as LogLevel.Off
const oldestFirst = 0 as SortDirection.Ascending
const notDenied = [0 as ConsentState.Unknown, 1 as ConsentState.Allowed]

/** Joins XMTP. Throws `XmtpBindingError` if it cannot run here, and an error if the wallet is not registered and cannot sign. */
export async function createXmtpTransport({ me, account, network, dbPath }: XmtpOptions): Promise<XmtpTransport> {
  const sdk = await loadSdk()
  const toIdentifier = (wallet: Address) => ({ identifier: wallet.toLowerCase(), identifierKind: ethereum })
  const options = {
    env: network,
    dbPath,
    dbEncryptionKey: await loadDatabaseKey(dbPath),
    codecs: [codec],
    disableDeviceSync: true,
    loggingLevel: silent,
  }
  const signer = account && {
    type: 'EOA' as const,
    getIdentifier: () => toIdentifier(me),
    signMessage: async (message: string) => toBytes(await account.signMessage({ message })),
  }
  const client = await withTimeout(
    signer ? sdk.Client.create(signer, options) : sdk.Client.build(toIdentifier(me), options),
  )
  if (!client.isRegistered) {
    throw new Error(
      `${me} is not registered with XMTP in this database. Run \`svc-negotiate join --transport xmtp\` once.`,
    )
  }
  const cursor = await loadReadCursor(`${dbPath}.seen`)

  return {
    publicKey: client.installationId,
    async send(to, text) {
      const dm = await withTimeout(client.conversations.createDmWithIdentifier(toIdentifier(to)))
      await withTimeout(dm.send(codec.encode(text), { shouldPush: true }))
    },
    async *receive(signal) {
      const { changed, stop } = observe(client, signal)
      try {
        for (;;) {
          await withTimeout(client.conversations.syncAll(notDenied))
          yield* unread(client, cursor)
          if (signal.aborted) return
          await changed()
        }
      } finally {
        stop()
      }
    },
    close: async () => {},
  }
}

type AnyClient = Client<string | unknown>

async function* unread(client: AnyClient, cursor: ReadCursor): AsyncGenerator<InboundMessage> {
  for (const dm of client.conversations.listDms({ consentStates: notDenied, limit: maxConversations })) {
    for (let page: DecodedMessage<unknown>[] | null = null; page === null || page.length === pageSize; ) {
      page = await dm.messages({ sentAfterNs: cursor.after(dm.id), direction: oldestFirst, limit: pageSize })
      for (const { content, contentType, senderInboxId, sentAtNs } of page) {
        const done = () => cursor.move(dm.id, sentAtNs)
        const ours =
          isNegotiationMessage(contentType) && typeof content === 'string' && senderInboxId !== client.inboxId
        if (ours) yield { text: content, from: await fetchWallets(client, senderInboxId), done }
        else await done()
      }
    }
  }
}

/** Fetches the wallets of an inbox. */
async function fetchWallets(client: AnyClient, inboxId: string): Promise<Address[]> {
  const [state] = await withTimeout(client.preferences.fetchInboxStates([inboxId]))
  return (state?.identifiers ?? []).flatMap(({ identifier }) => {
    return /^0x[0-9a-fA-F]{40}$/.test(identifier) ? [getAddress(identifier)] : []
  })
}

/** Watches for new messages. `changed` resolves on a message or after the poll interval. */
function observe(client: AnyClient, signal: AbortSignal) {
  let [wake, seen] = [() => {}, false]
  const onChange = () => {
    seen = true
    wake()
  }
  signal.addEventListener('abort', onChange)
  // Without a stream, polling still delivers messages.
  const stream = client.conversations.streamAllMessages({ onValue: onChange, onError: () => {} }).catch(() => null)
  return {
    async changed() {
      if (!seen) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      seen = false
    },
    stop() {
      signal.removeEventListener('abort', onChange)
      void stream.then((open) => open?.end()).catch(() => {})
    },
  }
}

/** Adds a timeout to a call of the SDK, which waits for its network forever. */
async function withTimeout<T>(pending: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`XMTP did not answer in ${timeoutMs / 1000} s.`)), timeoutMs)
  try {
    return await Promise.race([pending, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
