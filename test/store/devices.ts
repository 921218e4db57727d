import { accounts } from '@svc/devnet'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { connectStore, type DeviceKeys, ensureKeys, type KeyStore, type StoreConnection } from '@svc/work'
import type { LocalAccount } from 'viem'
import { testDomain } from '../harness/storeApp.ts'

/** Unix seconds. */
export const getNow = () => Math.floor(Date.now() / 1000)

/** Where and when statements are checked. */
export const createChecks = (chainId: number) => ({
  domain: testDomain,
  chainId,
  verifySignature: verifyKeySignature,
  now: getNow(),
})

/** The keys of one device, in memory. */
export function createMemoryKeyStore(): KeyStore {
  const saved = new Map<string, DeviceKeys>()
  return {
    load: async (wallet) => saved.get(wallet) ?? null,
    save: async (keys) => void saved.set(keys.wallet, keys),
  }
}

/** What `ensureKeys` and `rotateKeys` need for a wallet on a device. */
export const createSignInOptions = (account: LocalAccount, keyStore: KeyStore, chainId: number) => ({
  ...createChecks(chainId),
  wallet: account.address,
  keyStore,
  signMessage: (message: string) => account.signMessage({ message }),
})

/** Connects keys to the test store, without waiting between attempts. */
export const connectKeys = (baseUrl: string, keys: DeviceKeys, fetch?: (request: Request) => Promise<Response>) =>
  connectStore({
    baseUrl,
    address: accounts.store.address,
    keys,
    now: getNow,
    sleep: async () => {},
    ...(fetch && { fetch }),
  })

export type SignedInDevice = StoreConnection & { keys: DeviceKeys }

/** Signs in on a device, and opens a session, which leaves its statement at the store. */
export async function signInDevice(
  baseUrl: string,
  account: LocalAccount,
  {
    chainId,
    keyStore = createMemoryKeyStore(),
    fetch,
  }: { chainId: number; keyStore?: KeyStore; fetch?: (request: Request) => Promise<Response> },
): Promise<SignedInDevice> {
  const keys = await ensureKeys(createSignInOptions(account, keyStore, chainId))
  const store = connectKeys(baseUrl, keys, fetch)
  await store.getVault()
  return { ...store, keys }
}
