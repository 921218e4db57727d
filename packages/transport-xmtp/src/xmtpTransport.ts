import type { Client, ConsentState, DecodedMessage, IdentifierKind, LogLevel, SortDirection } from '@xmtp/node-sdk'
import { type Address, getAddress, type LocalAccount, toBytes } from 'viem'
import { codec, isOurs } from './codec.ts'
import { type Cursor, keepCursor } from './cursor.ts'
import { keepKey } from './keepKey.ts'
import { loadSdk } from './loadSdk.ts'

/** Where and as whom to join XMTP. */
export interface XmtpOptions {
  me: Address
  /** Signs for `me`: needed once, to make a wallet known that has no inbox in this database yet. */
  account: LocalAccount | null
  /** `local` is a node at localhost:5556. */
  network: 'local' | 'dev' | 'production'
  /** The database of the inbox. Keep it: a wallet has few installations for life, and messages are readable only with it. */
  dbPath: string
}

/** What arrived over XMTP. Nothing in it was checked. */
interface Arrival {
  text: string
  /** The wallets of the inbox that sent it, as the network has them. */
  from: Address[]
  done: () => Promise<void>
}

/** Messages over XMTP, each in the conversation of the two wallets. */
export interface XmtpTransport {
  /** The installation's key. */
  publicKey: string
  send: (to: Address, text: string) => Promise<void>
  receive: (signal: AbortSignal) => AsyncIterable<Arrival>
  close: () => Promise<void>
}

/** Streams break without a word: look again after this long. */
const lookAgainMs = 2_000
const patienceMs = 30_000
/** Messages of one conversation that are read at a time, and conversations that are looked at. */
const [pageSize, maxConversations] = [100, 1_000]

// The SDK declares these as const enums, which a file that is only stripped of its types cannot read.
const ethereum = 0 as IdentifierKind.Ethereum
const silent = 'Off' as LogLevel.Off
const oldestFirst = 0 as SortDirection.Ascending
const notDenied = [0 as ConsentState.Unknown, 1 as ConsentState.Allowed]

/** Joins XMTP. Throws `XmtpBindingError` where it cannot run, and when the wallet is not known and cannot sign. */
export async function createXmtpTransport({ me, account, network, dbPath }: XmtpOptions): Promise<XmtpTransport> {
  const sdk = await loadSdk()
  const idOf = (wallet: Address) => ({ identifier: wallet.toLowerCase(), identifierKind: ethereum })
  const options = {
    env: network,
    dbPath,
    dbEncryptionKey: await keepKey(dbPath),
    codecs: [codec],
    disableDeviceSync: true,
    loggingLevel: silent,
  }
  const signer = account && {
    type: 'EOA' as const,
    getIdentifier: () => idOf(me),
    signMessage: async (message: string) => toBytes(await account.signMessage({ message })),
  }
  const client = await inTime(signer ? sdk.Client.create(signer, options) : sdk.Client.build(idOf(me), options))
  if (!client.isRegistered) {
    throw new Error(`${me} is not known to XMTP by this database: run \`svc-negotiate join --transport xmtp\` once.`)
  }
  const cursor = await keepCursor(`${dbPath}.seen`)

  return {
    publicKey: client.installationId,
    async send(to, text) {
      const dm = await inTime(client.conversations.createDmWithIdentifier(idOf(to)))
      await inTime(dm.send(codec.encode(text), { shouldPush: true }))
    },
    async *receive(signal) {
      const { changed, stop } = observe(client, signal)
      try {
        for (;;) {
          await inTime(client.conversations.syncAll(notDenied))
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

async function* unread(client: AnyClient, cursor: Cursor): AsyncGenerator<Arrival> {
  for (const dm of client.conversations.listDms({ consentStates: notDenied, limit: maxConversations })) {
    for (let page: DecodedMessage<unknown>[] | null = null; page === null || page.length === pageSize; ) {
      page = await dm.messages({ sentAfterNs: cursor.after(dm.id), direction: oldestFirst, limit: pageSize })
      for (const { content, contentType, senderInboxId, sentAtNs } of page) {
        const done = () => cursor.move(dm.id, sentAtNs)
        const ours = isOurs(contentType) && typeof content === 'string' && senderInboxId !== client.inboxId
        if (ours) yield { text: content, from: await walletsOf(client, senderInboxId), done }
        else await done()
      }
    }
  }
}

/** The wallets of an inbox. */
async function walletsOf(client: AnyClient, inboxId: string): Promise<Address[]> {
  const [state] = await inTime(client.preferences.fetchInboxStates([inboxId]))
  return (state?.identifiers ?? []).flatMap(({ identifier }) => {
    return /^0x[0-9a-fA-F]{40}$/.test(identifier) ? [getAddress(identifier)] : []
  })
}

/** Waits for any message, at most a moment. */
function observe(client: AnyClient, signal: AbortSignal) {
  let [wake, seen] = [() => {}, false]
  const note = () => {
    seen = true
    wake()
  }
  signal.addEventListener('abort', note)
  // Without a stream it is slower, not wrong.
  const stream = client.conversations.streamAllMessages({ onValue: note, onError: () => {} }).catch(() => null)
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
      void stream.then((open) => open?.end()).catch(() => {})
    },
  }
}

/** The SDK waits for its network without end. */
async function inTime<T>(asked: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`XMTP did not answer in ${patienceMs / 1000} s.`)), patienceMs)
  try {
    return await Promise.race([asked, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
