import { Encrypter } from 'age-encryption'
import { bytesToHex, type Hex } from 'viem'
import {
  type Blob,
  type Descriptor,
  encodeDescriptor,
  type Grant,
  getMaxBundleSize,
  hashDescriptor,
  type Part,
  parseDescriptor,
} from './descriptor.ts'
import { workLimits } from './limits.ts'
import { encodeManifest, hashManifest, type Manifest, type ManifestFile } from './manifest.ts'
import { createReadingKey, type Reader, sealGrant } from './readingKey.ts'
import { type ByteStream, createByteCounter, cutIntoParts, hashSha256, iterateStream, toStream } from './streams.ts'
import { assertWork } from './workError.ts'

/** What a bundle belongs to. */
export type BundleSubject = Pick<
  Descriptor,
  'kind' | 'chainId' | 'registry' | 'taskId' | 'milestone' | 'revision' | 'author'
>

/** A file to be sealed. It is read once. */
export interface WorkFile extends Pick<ManifestFile, 'name' | 'type'> {
  open: () => ByteStream
}

export interface SealOptions {
  subject: BundleSubject
  /** Markdown. */
  text: string
  links?: readonly string[]
  files?: readonly WorkFile[]
  /** Who may open the bundle. Include the author, who cannot open it otherwise. Null makes the bundle public. */
  readers: readonly Reader[] | null
  /** Takes the parts as they are made. The next one is made when it is done, so memory stays flat. */
  savePart: (part: Part, bytes: Uint8Array) => Promise<void> | void
}

export interface SealedBundle {
  /** The hash for the chain. */
  hash: Hex
  /** The exact bytes of the descriptor. */
  bytes: Uint8Array
  descriptor: Descriptor
  manifest: Manifest
  /** Opens the bundle; null if it is public. */
  identity: string | null
}

/**
 * Seals text and files into a bundle with a fresh key. Throws {@link WorkError} for unsafe file names and for more bytes than
 * the market allows, before the rest is read.
 *
 * @example
 * ```ts
 * const parts = new Map<string, Uint8Array>()
 * const { hash, bytes } = await sealBundle({
 *   subject,
 *   text: 'All milestones are done.',
 *   files: [{ name: 'map.svg', type: 'image/svg+xml', open: () => file.stream() }],
 *   readers: [{ reader: poster, key }, { reader: worker, key: ownKey }],
 *   savePart: ({ sha256 }, part) => void parts.set(sha256, part),
 * })
 * ```
 */
export async function sealBundle(options: SealOptions): Promise<SealedBundle> {
  const { subject, text, links = [], files = [], readers } = options
  assertWork(files.length <= workLimits.files, 'BUNDLE_TOO_LARGE', `A bundle has at most ${workLimits.files} files.`)
  const own = readers && (await createReadingKey())
  const savePart = limitSize(options)
  const saveBlob = async (content: ByteStream): Promise<Blob> => {
    const parts: Part[] = []
    for await (const bytes of cutIntoParts(iterateStream(await encrypt(content, own?.key)), workLimits.partBytes)) {
      parts.push(await savePart(bytes))
    }
    return { size: parts.reduce((sum, { size }) => sum + size, 0), parts }
  }

  const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  const manifest: Manifest = { version: 1, text, files: [], links: [...links], salt }
  // Names and text are checked before any file is read.
  encodeManifest({ ...manifest, files: files.map(({ name, type }) => ({ name, type, size: 0, sha256: noHash })) })
  const blobs: Blob[] = []
  for (const { name, type, open } of files) {
    const counter = createByteCounter()
    blobs.push(await saveBlob(toStream(countBytes(open(), counter))))
    manifest.files.push({ name, type, ...counter.finish() })
  }
  const manifestBytes = encodeManifest(manifest)
  blobs.unshift(await saveBlob(toStream(yieldOnce(manifestBytes))))

  const grants: Grant[] = []
  for (const { reader, key } of readers ?? []) {
    if (own) grants.push({ reader, key, ...(await savePart(await sealGrant(own.identity, key))) })
  }
  const manifestHash = hashManifest(manifestBytes)
  const { kind, chainId, registry, taskId, milestone, revision, author } = subject
  const bytes = encodeDescriptor({
    version: 1,
    ...{ kind, chainId, registry, taskId, milestone, revision, author },
    manifestHash,
    recipient: own?.key ?? null,
    blobs,
    grants,
  })
  const descriptor = parseDescriptor(bytes)
  return { hash: hashDescriptor(bytes), bytes, descriptor, manifest, identity: own?.identity ?? null }
}

/** Saves parts until the bundle would become too large. */
function limitSize({ subject, readers, savePart }: SealOptions) {
  const limit = getMaxBundleSize(subject.taskId.market, { isPublic: readers === null })
  let total = 0
  return async (bytes: Uint8Array): Promise<Part> => {
    total += bytes.length
    assertWork(total <= limit, 'BUNDLE_TOO_LARGE', `The bundle has more than ${limit} bytes.`)
    const part = { sha256: hashSha256(bytes), size: bytes.length }
    await savePart(part, bytes)
    return part
  }
}

async function encrypt(content: ByteStream, recipient: string | undefined): Promise<ByteStream> {
  if (recipient === undefined) return content
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return encrypter.encrypt(content)
}

async function* countBytes(
  stream: ByteStream,
  counter: ReturnType<typeof createByteCounter>,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of iterateStream(stream)) {
    counter.add(chunk)
    yield chunk
  }
}

async function* yieldOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}

const noHash = '0'.repeat(64)
