import { SvcError } from '@svc/protocol'
import { iterateStream } from '@svc/protocol/internal/work'
import { createSignatureVerifier, type VerifySignature } from '@svc/protocol/negotiation'
import type { ExpectedBundle } from '@svc/protocol/work'
import {
  connectStore,
  type DeviceKeys,
  encodeDeviceKeys,
  type FetchedBundle,
  fetchBundle,
  type KeyStore,
  parseDeviceKeys,
} from '@svc/work'
import { type Address, createClient, custom, type Hex, isHex, stringToHex } from 'viem'
import { getBlockNumber, verifyHash } from 'viem/actions'
import { workKeysText } from '../text/workKeys.ts'
import type { WalletProvider } from '../wallet/provider.ts'
import { loadValue, saveValue } from './database.ts'
import type { StoreInfo } from './useStore.ts'

// Encryption and everything that needs it. Import this file only with `loadEngine`, so that it stays a chunk of its own.
export { minPassphraseLength } from '@svc/protocol/internal/work'
export * from '@svc/protocol/work'
export * from '@svc/work'

/** The keys of wallets in this browser. Keys that cannot be read are never overwritten: they may be the only copy. */
export const keyStore: KeyStore = {
  async load(wallet) {
    const stored = await loadValue('keys', wallet.toLowerCase())
    if (stored === undefined) return null
    const keys = parseDeviceKeys(stored)
    if (!keys) throw new SvcError('INVALID_KEYS', workKeysText.damaged)
    return keys
  },
  async save(keys) {
    await keyStore.load(keys.wallet)
    await saveValue('keys', keys.wallet.toLowerCase(), encodeDeviceKeys(keys))
  },
}

/** Creates a verifier that asks the chain through the wallet, so that contract wallets can sign too. */
export function createVerifier(provider: WalletProvider): VerifySignature {
  const client = createClient({ transport: custom(provider) })
  return createSignatureVerifier(async (check) => {
    // verifyHash returns false if the provider does not respond, so check the provider first.
    await getBlockNumber(client)
    return verifyHash(client, check)
  })
}

/** Asks the wallet for a signature over a text. */
export async function signText(provider: WalletProvider, wallet: Address, text: string): Promise<Hex> {
  const signature = await provider.request({ method: 'personal_sign', params: [stringToHex(text), wallet] })
  if (!isHex(signature)) throw new Error(workKeysText.noSignature)
  return signature
}

let connected: { name: string; store: ReturnType<typeof connectStore> } | undefined

/** Connects to a store. The same wallet keeps its session until it signs in again. */
export function getStoreConnection(store: StoreInfo, keys: DeviceKeys | null) {
  const { address, baseUrl } = store
  const name = [address, baseUrl, keys?.wallet, keys?.statement?.signature].join()
  if (connected?.name !== name) connected = { name, store: openConnection(store, keys) }
  return connected.store
}

/** Connects to a store with a session of its own, which ends with the signal. */
export function openConnection({ address, baseUrl }: StoreInfo, keys: DeviceKeys | null, signal?: AbortSignal) {
  const now = () => Math.floor(Date.now() / 1000)
  return connectStore({ baseUrl, address, now, signal, fetch: (request) => fetch(request), ...(keys && { keys }) })
}

/** An opened bundle. A file is read when it is asked for, and is complete and checked when it arrives. */
export interface BundleView extends Pick<FetchedBundle, 'manifest' | 'descriptor' | 'identity'> {
  readFile: (name: string, onProgress?: (bytes: number) => void) => Promise<Uint8Array<ArrayBuffer>>
}

/** Fetches a bundle, checks it against the chain and decrypts it. */
export async function viewBundle(
  store: StoreInfo,
  keys: DeviceKeys | null,
  reference: ExpectedBundle,
): Promise<BundleView> {
  const { manifest, descriptor, identity, streamFile } = await fetchBundle(getStoreConnection(store, keys), reference)
  return {
    manifest,
    descriptor,
    identity,
    async readFile(name, onProgress) {
      const size = manifest.files.find((file) => file.name === name)?.size ?? 0
      const bytes = new Uint8Array(size)
      let at = 0
      // The stream never has more bytes than the manifest says, and throws at its end if they are others.
      for await (const chunk of iterateStream(streamFile(name))) {
        bytes.set(chunk, at)
        at += chunk.length
        onProgress?.(at)
      }
      return bytes
    },
  }
}
