import { Decrypter } from 'age-encryption'
import { type Hex, isAddressEqual } from 'viem'
import { formatTaskId } from '../tasks/taskId.ts'
import { type Blob, type Descriptor, hashDescriptor, type Part, parseDescriptor } from './descriptor.ts'
import type { LaterGrant } from './laterGrant.ts'
import { workLimits } from './limits.ts'
import { hashManifest, type Manifest, type ManifestFile, parseManifest } from './manifest.ts'
import { getReadingKey, openGrant, type ReadingIdentity } from './readingKey.ts'
import type { BundleSubject } from './seal.ts'
import {
  type ByteStream,
  createByteCounter,
  cutBytes,
  hashSha256,
  iterateStream,
  readAll,
  toStream,
} from './streams.ts'
import { assertWork, WorkError } from './workError.ts'

/** What the chain says about a bundle. */
export interface ExpectedBundle extends BundleSubject {
  hash: Hex
}

export interface OpenOptions {
  /** The exact bytes of the descriptor, from anyone. */
  bytes: Uint8Array
  expected: ExpectedBundle
  /** The reader's keys, newest first. A public bundle needs none. */
  keys?: readonly ReadingIdentity[]
  /** Grants that were made after the bundle was sealed, from anyone. */
  laterGrants?: readonly LaterGrant[]
  /** The bundle's own identity, from an export. */
  identity?: string
  /** Brings the bytes of a part, from anyone. Its errors are passed on. */
  fetchPart: (part: Part) => Promise<Uint8Array>
}

export interface OpenedBundle {
  descriptor: Descriptor
  manifest: Manifest
  /** Opens the bundle again, and can be granted to others; null if it is public. */
  identity: string | null
  /**
   * Streams a file. Every byte comes from ciphertext that the hash on chain fixes, but only the end of the stream shows that
   * the file is what its manifest says: write to a temporary place, and rename after the end.
   */
  streamFile: (name: string) => ByteStream
  /** Reads a file into memory. Returns nothing before every check has passed. */
  readFile: (name: string) => Promise<Uint8Array>
}

/**
 * Checks a descriptor against the chain. Throws {@link WorkError} for other bytes than the hash stands for, and for a bundle of
 * another chain, registry, task, milestone, revision, author or kind.
 *
 * @example
 * ```ts
 * const descriptor = checkDescriptor(bytes, { hash: proofHash, ...subject })
 * ```
 */
export function checkDescriptor(bytes: Uint8Array, expected: ExpectedBundle): Descriptor {
  const hash = hashDescriptor(bytes)
  assertWork(hash === expected.hash, 'WRONG_BUNDLE', `The descriptor has the hash ${hash}, not ${expected.hash}.`)
  const descriptor = parseDescriptor(bytes)
  const { kind, chainId, registry, taskId, milestone, revision, author } = descriptor
  const wrong = (what: string) => `The bundle is for ${what}.`
  assertWork(kind === expected.kind, 'WRONG_SUBJECT', `The bundle is a ${kind}, not a ${expected.kind}.`)
  assertWork(chainId === expected.chainId, 'WRONG_SUBJECT', wrong(`chain ${chainId}`))
  assertWork(isAddressEqual(registry, expected.registry), 'WRONG_SUBJECT', wrong(`the registry ${registry}`))
  const id = formatTaskId(taskId)
  assertWork(id === formatTaskId(expected.taskId), 'WRONG_SUBJECT', wrong(`task ${id}`))
  assertWork(milestone === expected.milestone, 'WRONG_SUBJECT', wrong(`milestone ${milestone}`))
  assertWork(revision === expected.revision, 'WRONG_SUBJECT', wrong(`revision ${revision}`))
  assertWork(isAddressEqual(author, expected.author), 'WRONG_SUBJECT', `The bundle is by ${author}.`)
  return descriptor
}

/**
 * Opens a bundle and checks everything on the way: descriptor, grant, parts and manifest. Throws {@link WorkError} for the
 * first check that fails.
 *
 * @example
 * ```ts
 * const { manifest, readFile } = await openBundle({ bytes, expected, keys: [identity], fetchPart })
 * ```
 */
export async function openBundle(options: OpenOptions): Promise<OpenedBundle> {
  const { fetchPart } = options
  const { descriptor, identity } = await openIdentity(options)
  const [manifestBlob, ...fileBlobs] = descriptor.blobs
  assertWork(
    manifestBlob !== undefined && manifestBlob.size <= computeMaxSealedSize(workLimits.manifestBytes),
    'WRONG_MANIFEST',
    'The manifest is too large.',
  )
  const manifestBytes = await readAll(readBlob(manifestBlob, identity, fetchPart))
  assertWork(
    hashManifest(manifestBytes) === descriptor.manifestHash,
    'WRONG_MANIFEST',
    'The manifest is not the one that the descriptor names.',
  )
  const manifest = parseManifest(manifestBytes)
  assertWork(
    manifest.files.length === fileBlobs.length,
    'WRONG_MANIFEST',
    `The manifest names ${manifest.files.length} files, but the bundle has ${fileBlobs.length}.`,
  )
  const readChunks = (name: string) => {
    const index = manifest.files.findIndex((each) => each.name === name)
    const [file, blob] = [manifest.files[index], fileBlobs[index]]
    if (!file || !blob) throw new WorkError('WRONG_FILE', `The bundle has no file ${JSON.stringify(name)}.`)
    assertWork(
      blob.size <= computeMaxSealedSize(file.size),
      'WRONG_FILE',
      `${name} has more ciphertext than a file of ${file.size} bytes needs.`,
    )
    return checkFile(file, readBlob(blob, identity, fetchPart))
  }
  return {
    descriptor,
    manifest,
    identity,
    streamFile: (name) => toStream(readChunks(name)),
    readFile: async (name) => readAll(readChunks(name)),
  }
}

/**
 * Checks a descriptor and finds the bundle's own identity, which is null if the bundle is public. This is all that a grant to
 * others needs: no content is fetched. Throws {@link WorkError}.
 *
 * @example
 * ```ts
 * const { identity } = await openIdentity({ bytes, expected, keys: [clerkKey], laterGrants, fetchPart })
 * ```
 */
export async function openIdentity(options: OpenOptions): Promise<Pick<OpenedBundle, 'descriptor' | 'identity'>> {
  const descriptor = checkDescriptor(options.bytes, options.expected)
  return { descriptor, identity: descriptor.recipient === null ? null : await findIdentity(descriptor, options) }
}

/** Finds the bundle's identity in the first grant that one of the keys opens. */
async function findIdentity(descriptor: Descriptor, options: OpenOptions): Promise<string> {
  const { keys = [], laterGrants = [], identity, expected, fetchPart } = options
  if (identity !== undefined) {
    const recipient = await getReadingKey(identity)
    assertWork(recipient === descriptor.recipient, 'WRONG_GRANT', 'The key belongs to another bundle.')
    return identity
  }
  let refusal: WorkError | null = null
  for (const readingIdentity of keys) {
    const key = await getReadingKey(readingIdentity)
    const sources = [
      ...descriptor.grants.filter((grant) => grant.key === key).map((grant) => () => fetchChecked(grant, fetchPart)),
      ...laterGrants
        .filter((grant) => grant.key === key && grant.bundle === expected.hash)
        .map((grant) => async () => grant.file),
    ]
    for (const readGrant of sources) {
      try {
        return await openGrant(await readGrant(), readingIdentity, descriptor)
      } catch (error) {
        // Another grant may still open the bundle. Failures of the network are passed on.
        if (!(error instanceof WorkError)) throw error
        refusal ??= error
      }
    }
  }
  throw refusal ?? new WorkError('NO_GRANT', 'The bundle was not shared with this key. Ask its author for a grant.')
}

async function* readBlob(
  { parts }: Blob,
  identity: string | null,
  fetchPart: OpenOptions['fetchPart'],
): AsyncGenerator<Uint8Array, void> {
  let failure: unknown = null
  async function* readParts() {
    try {
      // In small pieces, so that the streams between here and the reader do not buffer several parts.
      for (const part of parts) yield* cutBytes(await fetchChecked(part, fetchPart), chunkBytes)
    } catch (error) {
      failure = error
      throw error
    }
  }
  if (identity === null) return yield* readParts()
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  try {
    yield* iterateStream(await decrypter.decrypt(toStream(readParts())))
  } catch (cause) {
    throw (
      failure ??
      new WorkError('NOT_DECRYPTED', 'The bundle cannot be decrypted: its author sealed it wrongly.', { cause })
    )
  }
}

async function fetchChecked(part: Part, fetchPart: OpenOptions['fetchPart']): Promise<Uint8Array> {
  const { sha256, size } = part
  const bytes = await fetchPart({ sha256, size })
  assertWork(bytes.length === size, 'WRONG_PART', `Part ${sha256} has ${bytes.length} bytes instead of ${size}.`)
  assertWork(hashSha256(bytes) === sha256, 'WRONG_PART', `Part ${sha256} has other bytes than its hash says.`)
  return bytes
}

async function* checkFile(
  { name, size, sha256 }: ManifestFile,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const counter = createByteCounter()
  for await (const chunk of chunks) {
    counter.add(chunk)
    assertWork(counter.size <= size, 'WRONG_FILE', `${name} has more than the ${size} bytes of its manifest.`)
    yield chunk
  }
  const found = counter.finish()
  assertWork(found.size === size, 'WRONG_FILE', `${name} has ${found.size} bytes instead of ${size}.`)
  assertWork(found.sha256 === sha256, 'WRONG_FILE', `${name} is not the file that the manifest names.`)
}

/** The most ciphertext that a file can need: age adds a header, and 16 bytes for each 64 KiB. */
const computeMaxSealedSize = (size: number) => size + 16 * (1 + Math.ceil(size / chunkBytes)) + maxHeaderBytes

const maxHeaderBytes = 4_096
const chunkBytes = 65_536
