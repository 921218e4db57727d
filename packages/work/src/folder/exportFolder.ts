import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { SvcError } from '@svc/protocol'
import { createByteCounter, encodeManifest, iterateStream } from '@svc/protocol/internal/work'
import {
  type Descriptor,
  hashDescriptor,
  hashManifest,
  type Manifest,
  parseDescriptor,
  parseManifest,
  WorkError,
  workLimits,
} from '@svc/protocol/work'
import type { Hex } from 'viem'
import type { FetchedBundle } from '../fetchBundle.ts'

const names = {
  descriptor: 'descriptor.json',
  manifest: 'manifest.json',
  identity: 'identity.txt',
  files: 'files',
} as const

/**
 * Writes an opened bundle into a new folder: descriptor, manifest, files, and the identity that opens the ciphertext. `withIdentity: false` leaves that out, for a folder that others read. The
 * folder appears when everything was written and checked. Throws FOLDER_EXISTS if it is there already.
 *
 * @example
 * ```ts
 * await exportBundle(await fetchBundle(store, expected), './delivery')
 * ```
 */
export async function exportBundle(
  bundle: FetchedBundle,
  folder: string,
  { withIdentity = true }: { withIdentity?: boolean } = {},
): Promise<void> {
  const target = resolve(folder)
  await mkdir(dirname(target), { recursive: true })
  const temporary = await mkdtemp(`${target}.`)
  try {
    await writeNew(join(temporary, names.descriptor), [bundle.bytes])
    await writeNew(join(temporary, names.manifest), [encodeManifest(bundle.manifest)])
    if (bundle.identity && withIdentity)
      await writeNew(join(temporary, names.identity), [new TextEncoder().encode(`${bundle.identity}\n`)])
    const files = join(temporary, names.files)
    await mkdir(files)
    for (const { name } of bundle.manifest.files) {
      const path = locate(files, name)
      await mkdir(dirname(path), { recursive: true })
      await writeNew(path, iterateStream(bundle.streamFile(name)))
    }
    await rename(temporary, target).catch((cause: unknown) => {
      throw new SvcError('FOLDER_EXISTS', `${target} exists already. Name a new folder.`, { cause })
    })
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
}

/**
 * Checks an exported folder without a network: the files match the manifest, and the manifest matches the descriptor. Returns
 * the descriptor's hash, to be compared with the one on chain. Throws `WorkError` for the first difference.
 *
 * @example
 * ```ts
 * const { hash } = await verifyExport('./delivery')
 * ```
 */
export async function verifyExport(folder: string): Promise<{ hash: Hex; descriptor: Descriptor; manifest: Manifest }> {
  const bytes = await readFile(join(folder, names.descriptor))
  const descriptor = parseDescriptor(bytes)
  const manifestBytes = await readFile(join(folder, names.manifest))
  if (hashManifest(manifestBytes) !== descriptor.manifestHash) {
    throw new WorkError('WRONG_MANIFEST', `${names.manifest} is not the one that the descriptor names.`)
  }
  const manifest = parseManifest(manifestBytes)
  for (const { name, size, sha256 } of manifest.files) {
    const counter = createByteCounter()
    const stream = createReadStream(locate(join(folder, names.files), name))
    for await (const chunk of stream) counter.add(chunk)
    const found = counter.finish()
    if (found.size !== size || found.sha256 !== sha256) {
      throw new WorkError('WRONG_FILE', `${name} is not the file that the manifest names.`)
    }
  }
  return { hash: hashDescriptor(bytes), descriptor, manifest }
}

/** The manifest's names are safe. This is the last line of defence, should a check be missing one day. */
function locate(folder: string, name: string): string {
  const path = resolve(folder, name)
  if (!path.startsWith(resolve(folder) + sep)) throw new WorkError('WRONG_FILE', `${name} leaves its folder.`)
  return path
}

async function writeNew(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > workLimits.bundleBytes.standard) throw new WorkError('WRONG_FILE', `${path} is too large.`)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
}
