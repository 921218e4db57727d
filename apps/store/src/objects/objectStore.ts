import type { Readable } from 'node:stream'
import { SvcError } from '@svc/protocol'

/** What bytes must be to be stored. */
export interface Expected {
  /** Lower-case hex. */
  sha256: string
  size: number
}

/** A range of bytes, both ends included. */
export interface ByteRange {
  start: number
  end: number
}

/** Holds bytes by key. Every implementation is atomic: a key has all of its bytes or does not exist. */
export interface ObjectStore {
  /**
   * Stores the bytes durably, or throws and leaves nothing new behind. Throws {@link ObjectError}: `WRONG_BYTES` if they are
   * not what was expected, `INCOMPLETE` if the source failed, `FULL` or `UNREACHABLE` if the engine did.
   */
  put: (key: string, source: Readable, expected: Expected) => Promise<void>
  /** Returns the bytes, or null if there is no such key. */
  get: (key: string, range?: ByteRange) => Promise<{ body: Readable; size: number } | null>
  /** Returns the full size, or null if there is no such key. */
  head: (key: string) => Promise<{ size: number } | null>
  delete: (key: string) => Promise<void>
  /** Deletes every key that begins with the prefix. */
  deletePrefix: (prefix: string) => Promise<void>
  /** Removes what uploads left that a crash cut off. Keys and running uploads are not touched. */
  removeLeftovers: () => Promise<void>
}

type ObjectErrorCode = 'WRONG_BYTES' | 'INCOMPLETE' | 'FULL' | 'UNREACHABLE'

/** Why bytes could not be stored or read. */
export class ObjectError extends SvcError<ObjectErrorCode> {
  override name = 'ObjectError'
}
