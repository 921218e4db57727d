import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ObjectStore } from './objectStore.ts'

/** Buckets charge for writes, and probes ask often. */
const goodForMs = 10_000
const key = 'probe/write'
const bytes = Buffer.from('written by /readyz')
const expected = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }

/** Creates a ping that settles when the engine takes a write: one that is full or read-only still answers questions. */
export function createWriteCheck({ put }: Pick<ObjectStore, 'put'>, now: () => number = Date.now): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (now() - writtenAt < goodForMs) return
    await put(key, Readable.from([bytes]), expected)
    writtenAt = now()
  }
}
