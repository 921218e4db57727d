import { connectStore, ensureKeys, type FindReadersOptions, type StoreConnection } from '@svc/work'
import { createKeyFolder } from '@svc/work/folder'
import type { Address, LocalAccount } from 'viem'

export interface OpenStoreOptions {
  baseUrl: string
  /** The wallet that signs the store's receipts. */
  address: Address
  account: LocalAccount
  /** The folder of the reading key. */
  folder: string
  createReadingOptions: () => FindReadersOptions
}

/** The key statement is checked and sent again after this time: it may be about to expire, or the store may have lost it. */
const signInAgainMs = 3_600_000

/** Creates a connection that signs in with the first use, and again when that is needed. Throws if the store names another clerk. */
export function createStoreOpener(options: OpenStoreOptions): () => Promise<StoreConnection> {
  const { baseUrl, address, account, folder, createReadingOptions } = options
  const keyStore = createKeyFolder(folder)
  let open: { store: StoreConnection; at: number } | null = null
  return async () => {
    if (open && Date.now() - open.at < signInAgainMs) return open.store
    const keys = await ensureKeys({
      ...createReadingOptions(),
      wallet: account.address,
      keyStore,
      signMessage: (message) => account.signMessage({ message }),
    })
    const store = connectStore({ baseUrl, address, keys, now: () => Math.floor(Date.now() / 1000) })
    const { clerk } = (await store.calls.getStore({})).body
    if (clerk?.toLowerCase() !== account.address.toLowerCase()) {
      throw new Error(
        `The store names ${clerk ?? 'no clerk'}, but this clerk is ${account.address}. Set SVC_STORE_CLERK.`,
      )
    }
    if (keys.statement) await store.calls.putStatement(keys.statement)
    open = { store, at: Date.now() }
    return store
  }
}
