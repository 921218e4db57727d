import { type Hex, keccak256 } from 'viem'
import * as z from 'zod/mini'
import { distinctNames, fileName, mediaType } from './briefFiles.ts'
import { workLimits } from './limits.ts'
import { type CanonicalDocument, encodeCanonical, parseCanonical } from './parseCanonical.ts'
import { byteCount, keccakHash, sha256Hex } from './wire.ts'

const file = z.strictObject({
  /** Its name below the bundle's folder, with `/` between folders. */
  name: fileName,
  type: mediaType,
  size: byteCount,
  sha256: sha256Hex,
})
export type ManifestFile = z.output<typeof file>

const text = z
  .string()
  .check(
    z.refine(
      (given) => given.isWellFormed() && new TextEncoder().encode(given).length <= workLimits.textBytes,
      `the text has at most ${workLimits.textBytes} bytes and no lone surrogates`,
    ),
  )

/** A link is shown, never followed. */
const link = z
  .string()
  .check(
    z.maxLength(workLimits.linkLength),
    z.regex(/^https:\/\/[!-~]+$/, 'not a link: expected https:// and no spaces'),
  )

/** The content of a bundle. It is encrypted unless the bundle is public. */
const manifest = z.strictObject({
  version: z.literal(1),
  /** Markdown. */
  text,
  files: z.array(file).check(z.maxLength(workLimits.files), distinctNames),
  links: z.array(link).check(z.maxLength(workLimits.links)),
  /** 32 random bytes, so that nobody can guess the content from `manifestHash`. */
  salt: keccakHash,
})
export type Manifest = z.output<typeof manifest>

const document = {
  name: 'manifest',
  schema: manifest,
  code: 'INVALID_MANIFEST',
  maxBytes: workLimits.manifestBytes,
} as const satisfies CanonicalDocument<typeof manifest>

/**
 * Parses the plaintext of a manifest. Throws {@link WorkError} for anything but canonical JSON of the right form, and for file
 * names that could leave their folder.
 *
 * @example
 * ```ts
 * const { text, files } = parseManifest(bytes)
 * ```
 */
export function parseManifest(bytes: Uint8Array): Manifest {
  return parseCanonical(document, bytes)
}

/**
 * Encodes a manifest as canonical bytes. Throws {@link WorkError} for a manifest that `parseManifest` would not accept.
 *
 * @example
 * ```ts
 * const bytes = encodeManifest({ version: 1, text: 'Done.', files: [], links: [], salt })
 * ```
 */
export function encodeManifest(value: Manifest): Uint8Array {
  return encodeCanonical(document, value)
}

/**
 * Hashes the exact bytes of a manifest with keccak256: the descriptor's `manifestHash`.
 *
 * @example
 * ```ts
 * hashManifest(bytes) === descriptor.manifestHash
 * ```
 */
export function hashManifest(bytes: Uint8Array): Hex {
  return keccak256(bytes)
}

/** How a file differs between two versions. */
export interface ChangedFile {
  name: string
  change: 'added' | 'removed' | 'changed'
}

/**
 * Lists the files that differ between two manifests, by name. Files with the same name and hash are left out.
 *
 * @example
 * ```ts
 * listChangedFiles(first, second) // [{ name: 'map.svg', change: 'changed' }]
 * ```
 */
export function listChangedFiles(before: Pick<Manifest, 'files'>, after: Pick<Manifest, 'files'>): ChangedFile[] {
  const old = new Map(before.files.map(({ name, sha256 }) => [name, sha256]))
  const current = new Map(after.files.map(({ name, sha256 }) => [name, sha256]))
  const names = [...new Set([...old.keys(), ...current.keys()])].sort()
  return names.flatMap((name): ChangedFile[] => {
    if (!old.has(name)) return [{ name, change: 'added' }]
    if (!current.has(name)) return [{ name, change: 'removed' }]
    return old.get(name) === current.get(name) ? [] : [{ name, change: 'changed' }]
  })
}
