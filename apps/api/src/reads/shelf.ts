/** Texts by key, within bounds. */
export interface Shelf<T> {
  /** What is kept; and whether it was wanted before. */
  get: (key: string) => T | undefined
  put: (key: string, value: T) => void
}

export interface ShelfOptions<T> {
  maxCount: number
  maxBytes: number
  sizeOf: (value: T) => number
  /** Hears what is wanted a second time. */
  onWantedAgain: (value: T) => void
}

/** So much of the room is for what was wanted once. */
const shareOfNew = 1 / 16

/**
 * Keeps what is wanted, the oldest of it going first. What was wanted only once has a small place of its own: whoever walks
 * through all pages of a list pushes nothing out that others want, and what nobody wants again is forgotten while it is young,
 * which spares the collector of garbage nearly all work.
 */
export function createShelf<T>({ maxCount, maxBytes, sizeOf, onWantedAgain }: ShelfOptions<T>): Shelf<T> {
  const fresh = createRow<T>(maxCount, maxBytes * shareOfNew, sizeOf)
  const wanted = createRow<T>(maxCount, maxBytes * (1 - shareOfNew), sizeOf)
  return {
    get(key) {
      const found = wanted.values.get(key)
      if (found !== undefined) return found
      const again = fresh.values.get(key)
      if (again === undefined) return undefined
      fresh.remove(key)
      onWantedAgain(again)
      wanted.put(key, again)
      return again
    },
    put(key, value) {
      const known = wanted.values.has(key)
      if (known) onWantedAgain(value)
      ;(known ? wanted : fresh).put(key, value)
    },
  }
}

function createRow<T>(maxCount: number, maxBytes: number, sizeOf: (value: T) => number) {
  const values = new Map<string, T>()
  let bytes = 0
  const remove = (key: string) => {
    const old = values.get(key)
    if (old === undefined) return
    bytes -= sizeOf(old)
    values.delete(key)
  }
  return {
    values,
    remove,
    put(key: string, value: T) {
      remove(key)
      values.set(key, value)
      bytes += sizeOf(value)
      for (const oldest of values.keys()) {
        if (values.size <= maxCount && bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
