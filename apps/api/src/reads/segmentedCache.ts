/** A bounded cache by key. */
export interface SegmentedCache<T> {
  /** Returns the cached value. The second hit promotes it. */
  get: (key: string) => T | undefined
  put: (key: string, value: T) => void
}

export interface SegmentedCacheOptions<T> {
  maxCount: number
  maxBytes: number
  measureSize: (value: T) => number
  /** Called with a value when it is requested a second time. */
  onPromote: (value: T) => void
}

/** The share of the bytes for values that were requested once. */
const coldShare = 1 / 16

/**
 * A segmented cache; the oldest entry is evicted first. Values that were requested only once have a small segment of their own.
 * A client that walks through all pages of a list therefore evicts nothing that others use, and values that are not requested
 * again die young, which saves most of the garbage collector's work.
 */
export function createSegmentedCache<T>({
  maxCount,
  maxBytes,
  measureSize,
  onPromote,
}: SegmentedCacheOptions<T>): SegmentedCache<T> {
  const cold = createSegment<T>(maxCount, maxBytes * coldShare, measureSize)
  const hot = createSegment<T>(maxCount, maxBytes * (1 - coldShare), measureSize)
  return {
    get(key) {
      const found = hot.values.get(key)
      if (found !== undefined) return found
      const promoted = cold.values.get(key)
      if (promoted === undefined) return undefined
      cold.remove(key)
      onPromote(promoted)
      hot.put(key, promoted)
      return promoted
    },
    put(key, value) {
      const known = hot.values.has(key)
      if (known) onPromote(value)
      ;(known ? hot : cold).put(key, value)
    },
  }
}

function createSegment<T>(maxCount: number, maxBytes: number, measureSize: (value: T) => number) {
  const values = new Map<string, T>()
  let bytes = 0
  const remove = (key: string) => {
    const old = values.get(key)
    if (old === undefined) return
    bytes -= measureSize(old)
    values.delete(key)
  }
  return {
    values,
    remove,
    put(key: string, value: T) {
      remove(key)
      values.set(key, value)
      bytes += measureSize(value)
      for (const oldest of values.keys()) {
        if (values.size <= maxCount && bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
