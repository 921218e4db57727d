import { type Hex, keccak256 } from 'viem'
import * as z from 'zod/mini'
import type { Market } from '../base/market.ts'
import { address } from '../base/wire.ts'
import { maxMilestones, maxRevisions } from '../money/amounts.ts'
import { taskId } from '../tasks/taskIdSchema.ts'
import { workLimits } from './limits.ts'
import { type CanonicalDocument, encodeCanonical, parseCanonical } from './parseCanonical.ts'
import { byteCount, keccakHash, readingKey, sha256Hex } from './wire.ts'
import { assertWork } from './workError.ts'

/**
 * What a bundle is: a delivery of the worker, the poster's request for changes (`revision`), a party's evidence, a judge's
 * reasons (`ruling`), or the poster's material for a task (`brief`).
 */
export const bundleKinds = ['delivery', 'revision', 'evidence', 'ruling', 'brief'] as const
export type BundleKind = (typeof bundleKinds)[number]

/** A piece of ciphertext, addressed by its hash. */
const part = z.strictObject({ sha256: sha256Hex, size: byteCount.check(z.maximum(workLimits.partBytes)) })
export type Part = z.output<typeof part>

const blob = z
  .strictObject({ size: byteCount, parts: z.array(part) })
  .check(z.refine(isCutEvenly, `parts have ${workLimits.partBytes} bytes, except the last one`))
export type Blob = z.output<typeof blob>

const grant = z.strictObject({
  /** The wallet that may read. */
  reader: address,
  /** Its reading key. */
  key: readingKey,
  /** The hash and the size of the grant file, which is stored like a part. */
  sha256: sha256Hex,
  size: byteCount.check(z.minimum(1), z.maximum(workLimits.grantBytes)),
})
export type Grant = z.output<typeof grant>

/**
 * The public half of a bundle. The hash on chain is the keccak256 of its canonical bytes, so it fixes ciphertext and grants:
 * every reader opens the same thing.
 */
const descriptor = z
  .strictObject({
    version: z.literal(1),
    kind: z.enum(bundleKinds),
    chainId: z.int().check(z.minimum(1)),
    registry: address,
    taskId,
    milestone: z.int().check(z.minimum(0), z.maximum(maxMilestones - 1)),
    /** How often the milestone was sent back before: 0 for the first delivery and for the request that answers it. */
    revision: z.int().check(z.minimum(0), z.maximum(maxRevisions)),
    author: address,
    /** keccak256 of the manifest's plaintext. It proves the content when the ciphertext is gone. */
    manifestHash: keccakHash,
    /** The public half of the bundle's own identity; null if the bundle is public and its blobs are plaintext. */
    recipient: z.nullable(readingKey),
    /** The manifest first, then each file in the manifest's order. */
    blobs: z.array(blob).check(z.minLength(1), z.maxLength(1 + workLimits.files)),
    grants: z.array(grant).check(z.maxLength(workLimits.grants)),
  })
  .check(
    z.refine(
      ({ recipient, grants }) => (recipient === null) === (grants.length === 0),
      'an encrypted bundle has grants, a public one has none',
    ),
    z.refine(
      ({ grants }) => new Set(grants.map(({ key }) => key)).size === grants.length,
      'two grants are for the same reading key',
    ),
  )
export type Descriptor = z.output<typeof descriptor>
export type DescriptorJson = z.input<typeof descriptor>

const document = {
  name: 'descriptor',
  schema: descriptor,
  code: 'INVALID_DESCRIPTOR',
  maxBytes: workLimits.descriptorBytes,
} as const satisfies CanonicalDocument<typeof descriptor>

/**
 * Parses the bytes of a descriptor. Throws {@link WorkError} for anything but canonical JSON of the right form, and for a
 * bundle above the limits of its market.
 *
 * @example
 * ```ts
 * const { taskId, author, blobs } = parseDescriptor(bytes)
 * ```
 */
export function parseDescriptor(bytes: Uint8Array): Descriptor {
  const parsed = parseCanonical(document, bytes)
  assertSizeAllowed(parsed)
  return parsed
}

/**
 * Encodes a descriptor as the canonical bytes that are stored and hashed. Throws {@link WorkError} for a descriptor that
 * `parseDescriptor` would not accept.
 *
 * @example
 * ```ts
 * const bytes = encodeDescriptor(descriptor)
 * ```
 */
export function encodeDescriptor(value: Descriptor): Uint8Array {
  const bytes = encodeCanonical(document, value)
  assertSizeAllowed(value)
  return bytes
}

/**
 * Hashes the exact bytes of a descriptor with keccak256. This is the `proofHash`, `reasonHash` or `evidenceHash` on chain.
 *
 * @example
 * ```ts
 * const proofHash = hashDescriptor(bytes)
 * ```
 */
export function hashDescriptor(bytes: Uint8Array): Hex {
  return keccak256(bytes)
}

/**
 * Lists every part that a store must hold to serve a bundle: the parts of all blobs, then the grant files. Equal parts are
 * listed once.
 *
 * @example
 * ```ts
 * const missing = listParts(descriptor).filter(({ sha256 }) => !held.has(sha256))
 * ```
 */
export function listParts({ blobs, grants }: Pick<Descriptor, 'blobs' | 'grants'>): Part[] {
  const all = [...blobs.flatMap(({ parts }) => parts), ...grants.map(({ sha256, size }) => ({ sha256, size }))]
  // By hash and size: a wrong size beside a right one must not disappear.
  return [...new Map(all.map((each) => [`${each.sha256}:${each.size}`, each])).values()]
}

/**
 * Computes how many bytes a bundle takes, without its descriptor. It counts for quotas and is the `size` of a receipt.
 *
 * @example
 * ```ts
 * const size = BigInt(computeBundleSize(descriptor))
 * ```
 */
export function computeBundleSize({ blobs, grants }: Pick<Descriptor, 'blobs' | 'grants'>): number {
  return [...blobs, ...grants].reduce((sum, { size }) => sum + size, 0)
}

/**
 * Returns the largest size of a bundle in a market.
 *
 * @example
 * ```ts
 * getMaxBundleSize('micro', { isPublic: false }) // 10000000
 * ```
 */
export function getMaxBundleSize(market: Market, { isPublic }: { isPublic: boolean }): number {
  const size = workLimits.bundleBytes[market]
  return isPublic ? Math.min(size, workLimits.publicBundleBytes) : size
}

function assertSizeAllowed(value: Descriptor): void {
  const size = computeBundleSize(value)
  const limit = getMaxBundleSize(value.taskId.market, { isPublic: value.recipient === null })
  assertWork(size <= limit, 'BUNDLE_TOO_LARGE', `The bundle has ${size} bytes, but the limit is ${limit}.`)
}

function isCutEvenly({ size, parts }: { size: number; parts: readonly { size: number }[] }): boolean {
  const last = parts.length - 1
  return (
    parts.every((each, index) => each.size > 0 && (index === last || each.size === workLimits.partBytes)) &&
    parts.reduce((sum, each) => sum + each.size, 0) === size
  )
}
