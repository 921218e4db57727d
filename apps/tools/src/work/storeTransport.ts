import type { Transport } from '@svc/protocol/negotiation'
import { createMailboxTransport, ensureKeys, openMailbox } from '@svc/work'
import { createMailCursor, createMailFolder } from '@svc/work/folder'
import type { Address } from 'viem'
import type { Markets } from '../market.ts'
import { TransportError } from '../transport/transport.ts'
import { connectOwnStore, openWorkWallet, type WorkSettings } from './place.ts'

export interface StoreTransportParts {
  markets: Markets
  settings: WorkSettings
  me: Address
  /** Asked only if the wallet has not signed in on this machine. */
  signMessage: (message: string) => Promise<`0x${string}`>
}

/** Opens the mailbox of a wallet at a store as a transport of negotiations. Throws `TransportError`. */
export async function openStoreTransport({
  markets,
  settings,
  me,
  signMessage,
}: StoreTransportParts): Promise<Transport> {
  const wallet = openWorkWallet(markets, settings, { wallet: me, signMessage })
  const store = await connectOwnStore(wallet, await ensureKeys(wallet.signIn))
  if (!store) throw new TransportError('The market has no store. Pass --store and --store-address.')
  const { domain, chainId, verifySignature } = wallet.signIn
  const mailbox = openMailbox({
    store,
    checks: { domain, chainId, verifySignature },
    now: settings.now,
    log: createMailFolder(settings.mailFolder, me, store.address),
  })
  const cursor = createMailCursor(settings.mailFolder, me, store.address)
  const inner = createMailboxTransport({ mailbox, store, cursor })
  return {
    ...inner,
    send: (to, text) =>
      inner.send(to, text).catch((error: unknown) => {
        throw new TransportError(error instanceof Error ? error.message : String(error), { cause: error })
      }),
  }
}
