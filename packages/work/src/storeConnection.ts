import { ApiError, createClient, joinUrl, readError } from '@svc/client'
import { storeByteRoutes, storeEndpoints } from '@svc/operations/endpoints'
import { formatTaskId, SvcError, type TaskId } from '@svc/protocol'
import { buildSessionProof, type Part } from '@svc/protocol/internal/work'
import { hashStatement, WorkError, workLimits } from '@svc/protocol/work'
import { type Address, type Hex, sha256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DeviceKeys } from './deviceKeys.ts'
import { createRetryFetch, type Fetch } from './retryFetch.ts'
import { createNonce, createSignedFetch } from './signedFetch.ts'

export interface StoreOptions {
  /** Where the store answers; a path before its routes is kept. */
  baseUrl: string
  /** The wallet that signs the store's receipts, from the terms or the configuration. The session is bound to it. */
  address: Address
  /** The keys of the wallet that reads and writes. Without them, only public bundles can be read. */
  keys?: DeviceKeys | undefined
  fetch?: Fetch
  /** Ends every request of this connection, for example when a person cancels an upload. */
  signal?: AbortSignal | undefined
  /** Unix seconds. */
  now: () => number
  sleep?: (milliseconds: number) => Promise<void>
}

/** A store over HTTP. Nothing that it answers is trusted: callers check hashes and signatures. */
export type StoreConnection = ReturnType<typeof connectStore>

/**
 * Connects to a store. Opens a session when one is needed, by a signature of the device key, and another when it has expired.
 *
 * @example
 * ```ts
 * const store = connectStore({ baseUrl: 'https://store.example', address: terms.store, keys, now })
 * ```
 */
export function connectStore({ baseUrl, address, keys, now, ...options }: StoreOptions) {
  const { fetch = globalThis.fetch, sleep = wait, signal } = options
  const cancellableFetch: Fetch = signal
    ? (request) => fetch(new Request(request, { signal: AbortSignal.any([request.signal, signal]) }))
    : fetch
  const retryFetch = createRetryFetch({ fetch: cancellableFetch, sleep })
  const anonymous = createClient(storeEndpoints, { baseUrl, fetch: retryFetch, timeoutMs })

  const openSession = async ({ statement, devicePrivateKey }: DeviceKeys): Promise<string> => {
    if (!statement) throw new SvcError('NOT_SIGNED_IN', 'The wallet has not signed in on this device. Sign in first.')
    const { body } = await anonymous.getStore({})
    // The proof names the store. One for another store's address could be used there.
    if (body.address.toLowerCase() !== address.toLowerCase()) {
      throw new SvcError('WRONG_STORE', `The store at ${baseUrl} signs as ${body.address}, but ${address} is expected.`)
    }
    const signIn = async () => {
      const [issuedAt, nonce] = [now(), createNonce()]
      const text = buildSessionProof({ store: address, statement: hashStatement(statement.message), issuedAt, nonce })
      const signature = await privateKeyToAccount(devicePrivateKey).signMessage({ message: text })
      return (await anonymous.createSession({ ...statement, proof: { issuedAt, nonce, signature } })).body.token
    }
    return signIn().catch((error: unknown) => {
      // The answer to the first attempt was lost on the way.
      if (error instanceof ApiError && error.code === 'PROOF_USED') return signIn()
      throw error
    })
  }

  const sendSigned = keys ? createSignedFetch(retryFetch, keys, openSession) : retryFetch

  const calls = createClient(storeEndpoints, { baseUrl, fetch: sendSigned, timeoutMs })
  const sendBytes = async (method: 'GET' | 'PUT', path: string, body?: Uint8Array): Promise<Response> => {
    const signal = AbortSignal.timeout(transferTimeoutMs)
    const init = { method, signal, ...(body && { body: new Uint8Array(body), headers: bytesType }) }
    const response = await sendSigned(new Request(joinUrl(baseUrl, path), init))
    if (!response.ok) throw await readError(response)
    return response
  }
  const formatPartPath = (taskId: TaskId, sha256: string) =>
    storeByteRoutes.part.replace(':id', formatTaskId(taskId)).replace(':sha256', sha256)
  const formatBundlePath = (hash: Hex) => storeByteRoutes.bundle.replace(':hash', hash)

  return {
    address,
    keys,
    calls,
    async putPart(taskId: TaskId, { sha256 }: Part, bytes: Uint8Array): Promise<void> {
      await (await sendBytes('PUT', formatPartPath(taskId, sha256), bytes)).body?.cancel()
    },
    async getPart(taskId: TaskId, { sha256, size }: Part): Promise<Uint8Array> {
      return readBytes(await sendBytes('GET', formatPartPath(taskId, sha256)), size)
    },
    async putBundle(hash: Hex, descriptor: Uint8Array): Promise<void> {
      await (await sendBytes('PUT', formatBundlePath(hash), descriptor)).body?.cancel()
    },
    async getBundle(hash: Hex): Promise<Uint8Array> {
      return readBytes(await sendBytes('GET', formatBundlePath(hash)), workLimits.descriptorBytes)
    },
    /** Stores the picture of the session's wallet, and returns its SHA-256 for the profile. */
    async putPicture(bytes: Uint8Array): Promise<string> {
      const wallet = keys?.wallet
      if (!wallet) throw new SvcError('NOT_SIGNED_IN', 'The wallet has not signed in on this device. Sign in first.')
      const hash = sha256(bytes).slice(2)
      const path = storeByteRoutes.picture.replace(':wallet', wallet).replace(':sha256', hash)
      await (await sendBytes('PUT', path, bytes)).body?.cancel()
      return hash
    },
    async putVault(backup: string): Promise<void> {
      const bytes = new TextEncoder().encode(backup)
      await (await sendBytes('PUT', storeByteRoutes.vault, bytes)).body?.cancel()
    },
    /** Returns null if the wallet has no backup here. */
    async getVault(): Promise<string | null> {
      try {
        const response = await sendBytes('GET', storeByteRoutes.vault)
        return new TextDecoder().decode(await readBytes(response, workLimits.vaultBytes))
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  }
}

const timeoutMs = 30_000
const transferTimeoutMs = 300_000
const bytesType = { 'content-type': 'application/octet-stream' }
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Reads a body, but never more than `limit` bytes: a store that lies must not fill the memory. */
async function readBytes(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > limit) {
      await reader.cancel()
      throw new WorkError('WRONG_PART', `The store sent more than ${limit} bytes.`)
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
