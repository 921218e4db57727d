import { SvcError } from '@svc/protocol'
import { iterateStream } from '@svc/protocol/internal/work'
import { createSignatureVerifier, type VerifySignature } from '@svc/protocol/negotiation'
import { type BundleSubject, type ExpectedBundle, parseDescriptor } from '@svc/protocol/work'
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
export const signText = (provider: WalletProvider, wallet: Address, text: string): Promise<Hex> =>
  requestSignature(provider, 'personal_sign', [stringToHex(text), wallet])

/** Asks the wallet for a signature, in lower case: what is signed here is hashed, and some wallets mix the cases. */
export async function requestSignature(provider: WalletProvider, method: string, params: unknown[]): Promise<Hex> {
  const answer = await provider.request({ method, params })
  const signature = typeof answer === 'string' ? answer.toLowerCase() : answer
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

/** A bundle that a message names: whose it is and what kind, but not where the task stood. */
export type AnnouncedBundle = Omit<ExpectedBundle, 'milestone' | 'revision'>

/** Fetches a bundle, checks it against the chain, or against the signed message that names it, and decrypts it. */
export async function viewBundle(
  store: StoreInfo,
  keys: DeviceKeys | null,
  reference: ExpectedBundle | AnnouncedBundle,
): Promise<BundleView> {
  const connection = getStoreConnection(store, keys)
  const place: Pick<BundleSubject, 'milestone' | 'revision'> =
    'milestone' in reference ? reference : parseDescriptor(await connection.getBundle(reference.hash))
  const { milestone, revision } = place
  const expected = { ...reference, milestone, revision }
  const { manifest, descriptor, identity, streamFile } = await fetchBundle(connection, expected)
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
