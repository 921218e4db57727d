import { Encrypter } from 'age-encryption'
import { keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { canonicalizeJson } from '../src/base/canonicalJson.ts'
import { verifyKeySignature } from '../src/negotiation/signatures.ts'
import * as work from './workModules.ts'

/** The functions under test. A test can pass a copy of them with a planted fault. */
export type Work = typeof work

export const poster = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const worker = privateKeyToAccount(`0x${'22'.repeat(32)}`)
export const registry = privateKeyToAccount(`0x${'33'.repeat(32)}`).address

export const subject: work.BundleSubject = {
  kind: 'delivery',
  chainId: 8453,
  registry,
  taskId: { market: 'micro', number: 33n },
  milestone: 1,
  revision: 2,
  author: worker.address,
}

/** A file from bytes. */
export const toFile = (name: string, bytes: Uint8Array): work.WorkFile => ({
  name,
  type: 'application/octet-stream',
  open: () => work.toStream(yieldChunks(bytes)),
})

/** Chunks of changing sizes, as a network or a disk would give them. */
async function* yieldChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let offset = 0, size = 1; offset < bytes.length; offset += size, size = 1 + ((size * 7) % 100_003)) {
    yield bytes.subarray(offset, offset + size)
  }
}

/** Parts in memory. A missing part is a failure of the store, not of the bundle. */
export function createPartMap() {
  const parts = new Map<string, Uint8Array>()
  return {
    parts,
    savePart: ({ sha256 }: work.Part, bytes: Uint8Array) => void parts.set(sha256, bytes),
    fetchPart: async ({ sha256 }: work.Part) => {
      const bytes = parts.get(sha256)
      if (!bytes) throw new Error(`The store has no part ${sha256}.`)
      return bytes
    },
  }
}

/** What an author who lies can change. */
export interface Forgery {
  files?: readonly { content: Uint8Array; claim?: Partial<work.ManifestFile> }[]
  text?: string
  /** The grant file, given the real identity and the reader's key. */
  grant?: (identity: string, key: string) => Promise<Uint8Array>
  descriptor?: (json: work.DescriptorJson) => object
  /** The text of the descriptor, given the canonical one. */
  spell?: (text: string) => string
}

/** Seals a bundle without any check, as an author who lies would. The hash on chain is right: the author put it there. */
export async function forgeBundle({ files = [], text = '', grant = work.sealGrant, descriptor, spell }: Forgery) {
  const store = createPartMap()
  const own = await work.createReadingKey()
  const reader = await work.createReadingKey()
  const save = (bytes: Uint8Array) => {
    const part = { sha256: work.hashSha256(bytes), size: bytes.length }
    store.savePart(part, bytes)
    return part
  }
  const saveBlob = async (content: Uint8Array) => {
    const encrypter = new Encrypter()
    encrypter.addRecipient(own.key)
    const sealed = await encrypter.encrypt(content)
    return { size: sealed.length, parts: [save(sealed)] }
  }
  const claims = files.map(({ content, claim }, index) => ({
    name: `file-${index}`,
    type: 'text/plain',
    size: content.length,
    sha256: work.hashSha256(content),
    ...claim,
  }))
  const encode = (json: unknown) => new TextEncoder().encode(canonicalizeJson(json))
  const manifest = encode({ version: 1, text, files: claims, links: [], salt: `0x${'00'.repeat(32)}` })
  const json: work.DescriptorJson = {
    ...subject,
    version: 1,
    taskId: 'v2:micro:33',
    manifestHash: keccak256(manifest),
    recipient: own.key,
    blobs: [await saveBlob(manifest), ...(await Promise.all(files.map(({ content }) => saveBlob(content))))],
    grants: [{ reader: poster.address, key: reader.key, ...save(await grant(own.identity, reader.key)) }],
  }
  const canonical = canonicalizeJson(descriptor?.(json) ?? json)
  const bytes = new TextEncoder().encode(spell?.(canonical) ?? canonical)
  const options: work.OpenOptions = {
    bytes,
    expected: { ...subject, hash: keccak256(bytes) },
    keys: [reader.identity],
    fetchPart: store.fetchPart,
  }
  return { options, parts: store.parts, identity: own.identity, json }
}

export const now = 1_794_700_000
export const statement: work.Statement = {
  wallet: poster.address,
  readingKey: `age1${'q'.repeat(58)}`,
  deviceKey: worker.address,
  revokes: [],
  domain: 'market.example',
  chainId: 8453,
  nonce: 'abcdefgh12345678',
  issuedAt: now - 60,
  expiresAt: now + 86_400,
}
export const statementUse: work.StatementUse = {
  domains: ['market.example'],
  chainId: 8453,
  now,
  wallet: poster.address,
  verifySignature: verifyKeySignature,
}

/** Signs a statement with the poster's key, whatever it says. */
export async function signStatement(
  given: work.Statement,
  change: (message: string) => string = (message) => message,
): Promise<work.SignedStatement> {
  const message = change(work.buildStatementMessage(given))
  return { message, signature: await poster.signMessage({ message }) }
}
