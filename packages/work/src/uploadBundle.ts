import { ApiError } from '@svc/client'
import { formatTaskId } from '@svc/protocol'
import type { Part } from '@svc/protocol/internal/work'
import { listParts, type SealedBundle } from '@svc/protocol/work'
import type { StoreConnection } from './storeConnection.ts'

/** Sealed parts on this device. An upload reads from here, and can go on after a restart if it lasts as long. */
export interface PartCache {
  savePart: (part: Part, bytes: Uint8Array) => Promise<void> | void
  readPart: (part: Part) => Promise<Uint8Array>
}

export interface UploadOptions {
  readPart: PartCache['readPart']
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void
}

/**
 * Sends a sealed bundle to a store: the parts that the store does not hold, three at a time, then the descriptor. To resume,
 * call it again. When it returns, the store has acknowledged everything.
 *
 * @example
 * ```ts
 * await uploadBundle(store, sealed, { readPart: cache.readPart, onProgress })
 * ```
 */
export async function uploadBundle(
  store: StoreConnection,
  { hash, bytes, descriptor }: Pick<SealedBundle, 'hash' | 'bytes' | 'descriptor'>,
  { readPart, onProgress }: UploadOptions,
): Promise<void> {
  const { taskId } = descriptor
  const parts = listParts(descriptor)
  const totalBytes = parts.reduce((sum, { size }) => sum + size, 0)
  const sendMissing = async () => {
    const { body } = await store.calls.listMissingParts({
      id: formatTaskId(taskId),
      parts: parts.map(({ sha256 }) => sha256),
    })
    const missing = parts.filter(({ sha256 }) => body.missing.includes(sha256))
    let sentBytes = totalBytes - missing.reduce((sum, { size }) => sum + size, 0)
    onProgress?.({ sentBytes, totalBytes })
    await runConcurrently(missing, parallelUploads, async (part) => {
      await store.putPart(taskId, part, await readPart(part))
      sentBytes += part.size
      onProgress?.({ sentBytes, totalBytes })
    })
  }
  await sendMissing()
  try {
    await store.putBundle(hash, bytes)
  } catch (error) {
    // The store may have lost parts meanwhile, for example when it was restored from a backup.
    if (!(error instanceof ApiError && error.code === 'PARTS_MISSING')) throw error
    await sendMissing()
    await store.putBundle(hash, bytes)
  }
}

/**
 * Creates a cache of parts in memory.
 *
 * @example
 * ```ts
 * const cache = createMemoryPartCache()
 * const sealed = await sealBundle({ ...draft, savePart: cache.savePart })
 * ```
 */
export function createMemoryPartCache(): PartCache {
  const parts = new Map<string, Uint8Array>()
  return {
    savePart: ({ sha256 }, bytes) => void parts.set(sha256, bytes),
    readPart: async ({ sha256 }) => {
      const bytes = parts.get(sha256)
      if (!bytes) throw new Error(`Part ${sha256} is not in memory. Seal the bundle again.`)
      return bytes
    },
  }
}

const parallelUploads = 3

/** Runs `work` for every item, some at a time. After a failure, no further item is started. */
async function runConcurrently<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  let hasFailed = false
  const runQueue = async () => {
    for (let item = queue.shift(); item !== undefined && !hasFailed; item = queue.shift()) {
      await work(item).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  }
  const results = await Promise.allSettled(Array.from({ length: limit }, runQueue))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}
