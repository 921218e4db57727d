import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '@svc/protocol'
import { createByteCounter, hashSha256, iterateStream } from '@svc/protocol/internal/work'
import {
  type Descriptor,
  hashDescriptor,
  listParts,
  parseDescriptor,
  type SealedBundle,
  type SealOptions,
  sealBundle,
} from '@svc/protocol/work'
import type { PartCache } from '../uploadBundle.ts'
import { createPartFolder } from './partFolder.ts'
import { writeFileSafely } from './writeFileSafely.ts'

/** A sealed bundle in the outbox, from this run or from an earlier one. */
export interface OutgoingBundle extends Pick<SealedBundle, 'hash' | 'bytes' | 'descriptor'> {
  readPart: PartCache['readPart']
  /** Removes the ciphertext once the store holds it. The descriptor stays, so that the same content keeps its hash. */
  release: () => Promise<void>
}

export type OutgoingDraft = Omit<SealOptions, 'savePart'>

const descriptorFile = 'descriptor.json'
/** What nobody came back for is removed after this time. */
const maxAgeMs = 7 * 86_400_000

/**
 * Seals a bundle into a folder of this machine, or finds it there: the same text, files and readers are sealed once. A program
 * that was killed goes on with the same ciphertext and the same hash. Throws FILE_CHANGED if a file changes meanwhile.
 *
 * @example
 * ```ts
 * const outgoing = await sealIntoOutbox(folder, { subject, text, files, readers })
 * await uploadBundle(store, outgoing, outgoing)
 * await outgoing.release()
 * ```
 */
export async function sealIntoOutbox(folder: string, draft: OutgoingDraft): Promise<OutgoingBundle> {
  await removeOld(folder)
  const files = await hashFiles(draft)
  const place = join(folder, hashDraft(draft, files))
  const cache = createPartFolder(place)
  const known = await findSealed(place)
  if (known) return toOutgoing(place, cache, known)
  // Parts without a descriptor are of a run that was killed while it sealed.
  await rm(place, { recursive: true, force: true })
  const { bytes, manifest } = await sealBundle({ ...draft, savePart: cache.savePart })
  const changed = manifest.files.find(({ sha256 }, index) => sha256 !== files[index]?.sha256)
  if (changed) {
    await rm(place, { recursive: true, force: true })
    throw new SvcError('FILE_CHANGED', `${changed.name} was changed while it was read. Try again.`)
  }
  await writeFileSafely(join(place, descriptorFile), bytes)
  return toOutgoing(place, cache, bytes)
}

function toOutgoing(place: string, cache: PartCache, bytes: Uint8Array): OutgoingBundle {
  const descriptor = parseDescriptor(bytes)
  return {
    hash: hashDescriptor(bytes),
    bytes,
    descriptor,
    readPart: (part) =>
      cache.readPart(part).catch(async (cause: unknown) => {
        // Without this, every further run would fail in the same way.
        await rm(place, { recursive: true, force: true })
        throw new SvcError('PART_LOST', `Part ${part.sha256} in ${place} is missing or damaged.`, {
          hint: 'Run the same again: the files are sealed again.',
          cause,
        })
      }),
    release: () => removeParts(place, descriptor),
  }
}

/** Finds the descriptor of an earlier run. It was written when all parts were there. */
async function findSealed(place: string): Promise<Uint8Array | null> {
  try {
    const bytes = await readFile(join(place, descriptorFile))
    parseDescriptor(bytes)
    return bytes
  } catch {
    // Missing or damaged: it is sealed again.
    return null
  }
}

async function removeParts(place: string, descriptor: Descriptor): Promise<void> {
  const names = listParts(descriptor).map(({ sha256 }) => `${sha256}.part`)
  for (const name of names) await rm(join(place, name), { force: true })
}

async function hashFiles({ files = [] }: OutgoingDraft) {
  const hashes = []
  for (const { name, type, open } of files) {
    const counter = createByteCounter()
    for await (const chunk of iterateStream(open())) counter.add(chunk)
    hashes.push({ name, type, ...counter.finish() })
  }
  return hashes
}

function hashDraft({ subject, text, links = [], readers }: OutgoingDraft, files: readonly object[]): string {
  const taskId = { ...subject.taskId, number: String(subject.taskId.number) }
  const content = JSON.stringify({ subject: { ...subject, taskId }, text, links, readers, files })
  return hashSha256(new TextEncoder().encode(content))
}

async function removeOld(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const modified = await stat(path).catch(() => null)
    if (modified && Date.now() - modified.mtimeMs > maxAgeMs) await rm(path, { recursive: true, force: true })
  }
}
