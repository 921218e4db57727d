import { createHash, randomBytes } from 'node:crypto'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { buildSessionProof } from '@svc/protocol/internal/work'
import {
  buildStatementMessage,
  type Descriptor,
  encodeDescriptor,
  hashDescriptor,
  hashStatement,
  listParts,
  workLimits,
} from '@svc/protocol/work'
import type { Hex, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { testDomain } from '../harness/storeApp.ts'

/** A bundle with the bytes of its parts. The store cannot tell ciphertext from noise, so the parts are noise. */
export interface TestBundle {
  descriptor: Descriptor
  bytes: Uint8Array
  hash: Hex
  /** Bytes of every part and grant file, by SHA-256. */
  parts: ReadonlyMap<string, Buffer>
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A random reading key, as age writes one. */
export function makeReadingKey(): string {
  const letters = '023456789acdefghjklmnpqrstuvwxyz'
  return `age1${[...randomBytes(58)].map((byte) => letters[byte % 32]).join('')}`
}

/** Makes a bundle of random blobs. */
export function makeBundle(
  about: Pick<Descriptor, 'registry' | 'chainId' | 'taskId' | 'author'> & Partial<Descriptor>,
  sizes: readonly number[],
  readers: readonly { reader: Hex; key: string }[] = [],
): TestBundle {
  const parts = new Map<string, Buffer>()
  const keep = (bytes: Buffer) => {
    const hash = sha256(bytes)
    parts.set(hash, bytes)
    return { sha256: hash, size: bytes.length }
  }
  const blobs = sizes.map((size) => {
    const bytes = randomBytes(size)
    const count = Math.ceil(size / workLimits.partBytes)
    const cut = Array.from({ length: count }, (_, index) =>
      keep(bytes.subarray(index * workLimits.partBytes, (index + 1) * workLimits.partBytes)),
    )
    return { size, parts: cut }
  })
  const grants = readers.map(({ reader, key }) => ({ reader, key, ...keep(randomBytes(274)) }))
  const descriptor: Descriptor = {
    version: 1,
    kind: 'delivery',
    milestone: 0,
    revision: 0,
    manifestHash: `0x${randomBytes(32).toString('hex')}`,
    recipient: readers.length > 0 ? makeReadingKey() : null,
    ...about,
    blobs,
    grants,
  }
  const bytes = encodeDescriptor(descriptor)
  return { descriptor, bytes, hash: hashDescriptor(bytes), parts }
}

/** What one wallet does at a store. */
export interface StoreClient {
  send: (method: string, path: string, body?: Uint8Array | object) => Promise<Response>
  putPart: (taskId: TaskId, bytes: Uint8Array, name?: string) => Promise<Response>
  getPart: (taskId: TaskId, name: string, headers?: Record<string, string>) => Promise<Response>
  /** Sends what the store says is missing, then the descriptor. Returns the answer to the latter. */
  upload: (bundle: TestBundle) => Promise<Response>
  askReceipt: (hash: Hex) => Promise<Response>
}

/** The fields of bodies that tests look at. */
export const readBody = async (response: Response) =>
  (await response.json()) as { code?: string; error?: string; missing?: string[]; token?: string }

/** Creates a client; without a token, that of a stranger. */
export function createStoreClient(url: string, token?: string): StoreClient {
  const session: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const send: StoreClient['send'] = (method, path, body) => {
    const isBytes = body instanceof Uint8Array
    return fetch(`${url}${path}`, {
      method,
      headers: {
        ...session,
        ...(body && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    })
  }
  const partPath = (taskId: TaskId, name: string) => `/v1/tasks/${formatTaskId(taskId)}/parts/${name}`
  const putPart: StoreClient['putPart'] = (taskId, bytes, name = sha256(bytes)) =>
    send('PUT', partPath(taskId, name), bytes)
  return {
    send,
    putPart,
    getPart: (taskId, name, headers = {}) =>
      fetch(`${url}${partPath(taskId, name)}`, { headers: { ...session, ...headers } }),
    async upload({ descriptor, bytes, hash, parts }) {
      const { taskId } = descriptor
      const asked = listParts(descriptor).map((each) => each.sha256)
      const answer = await send('POST', partPath(taskId, 'missing'), { parts: asked })
      if (!answer.ok) return answer
      const { missing = [] } = await readBody(answer)
      for (let at = 0; at < missing.length; at += 3) {
        const three = missing.slice(at, at + 3).map((name) => putPart(taskId, parts.get(name) ?? Buffer.alloc(0), name))
        const failed = (await Promise.all(three)).find(({ ok }) => !ok)
        if (failed) return failed
      }
      return send('PUT', `/v1/bundles/${hash}`, bytes)
    },
    askReceipt: (hash) => send('POST', `/v1/bundles/${hash}/receipt`),
  }
}

export interface SignIn {
  client: StoreClient
  token: string
  readingKey: string
  signed: { message: string; signature: Hex }
}

/** Signs in with a fresh reading key and device key. */
export async function signIn(
  url: string,
  wallet: Pick<LocalAccount, 'address' | 'signMessage'>,
  store: Hex,
  options: Parameters<typeof buildSignIn>[2] = {},
): Promise<SignIn> {
  const { readingKey, signed, body } = await buildSignIn(
    wallet,
    ({ statement, issuedAt }) => buildSessionProof({ store, statement, issuedAt }),
    options,
  )
  const answer = await createStoreClient(url).send('POST', '/v1/sessions', body)
  const { token = '', error } = await readBody(answer)
  if (!answer.ok) throw new Error(`${answer.status}: ${error}`)
  return { client: createStoreClient(url, token), token, readingKey, signed }
}

/** Builds the body that opens a session with a fresh reading key and device key. */
export async function buildSignIn(
  wallet: Pick<LocalAccount, 'address' | 'signMessage'>,
  buildProof: (proof: { statement: Hex; issuedAt: number }) => string,
  {
    now = Math.floor(Date.now() / 1000),
    chainId = 8453,
    domain = testDomain,
    device = privateKeyToAccount(generatePrivateKey()),
  } = {},
) {
  const readingKey = makeReadingKey()
  const message = buildStatementMessage({
    wallet: wallet.address,
    readingKey,
    deviceKey: device.address,
    revokes: [],
    domain,
    chainId,
    nonce: randomBytes(8).toString('hex'),
    issuedAt: now,
    expiresAt: now + 86_400,
  })
  const signed = { message, signature: await wallet.signMessage({ message }) }
  const proofText = buildProof({ statement: hashStatement(message), issuedAt: now })
  const proof = { issuedAt: now, signature: await device.signMessage({ message: proofText }) }
  return { readingKey, signed, body: { ...signed, proof } }
}
