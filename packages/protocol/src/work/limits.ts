import type { Market } from '../base/market.ts'

const kiB = 1_024
const MiB = 1_024 * kiB
const MB = 1_000_000
const day = 86_400

/** Every limit of bundles, reading keys and stores. Sizes are in bytes, times in seconds. */
export const workLimits = {
  /** Ciphertext is cut into parts of this size; only the last part of a blob is shorter. */
  partBytes: 4 * MiB,
  descriptorBytes: 256 * kiB,
  manifestBytes: 512 * kiB,
  /** The Markdown text of a manifest, in bytes of UTF-8. */
  textBytes: 128 * kiB,
  files: 100,
  links: 50,
  linkLength: 2_048,
  /** A file's name with its folders, in bytes of UTF-8, and how deep it may lie. */
  fileNameBytes: 240,
  folderDepth: 8,
  /** Readers that a bundle is sealed for. Further readers get later grants. */
  grants: 32,
  grantBytes: 4 * kiB,
  /**
   * One bundle, and everything that the worker stores for a task, by market. Every other wallet may store as much as one bundle
   * for a task, so that nobody can use up the worker's room.
   */
  bundleBytes: { standard: 100 * MB, micro: 10 * MB },
  taskBytes: { standard: 500 * MB, micro: 50 * MB },
  /** A bundle that anyone may read. */
  publicBundleBytes: 10 * MB,
  /** An encrypted backup of a reading key. */
  vaultBytes: 16 * kiB,
  /** The picture of a wallet, and its longest side in pixels. */
  pictureBytes: 64 * kiB,
  pictureSide: 512,
  /** Key statements of a wallet that count at the same time: the newest ones. */
  statements: 5,
  statementLifetime: 180 * day,
  /** The tolerated clock difference between signer and reader. */
  clockSkew: 300,
  /** How long a store keeps the bundles of a task that has ended. */
  retention: 180 * day,
  /** How long a store keeps a part that belongs to no bundle. */
  looseParts: day,
} as const satisfies Record<string, number | Record<Market, number>>
