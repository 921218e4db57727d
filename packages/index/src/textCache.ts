/** Texts by their fingerprint, of a bounded size. A text never changes, so none is ever wrong. */
export interface TextCache {
  get: (mark: string) => string | undefined
  put: (mark: string, text: string) => void
}

/** Creates a cache of two generations: when the young one is full, what the old one has and nobody asked for is dropped. */
export function createTextCache(maxChars: number): TextCache {
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  let chars = 0

  const put = (mark: string, text: string) => {
    young.set(mark, text)
    chars += text.length
    if (chars * 2 < maxChars) return
    old = young
    young = new Map()
    chars = 0
  }
  return {
    get(mark) {
      const text = young.get(mark)
      if (text !== undefined) return text
      const kept = old.get(mark)
      if (kept !== undefined) put(mark, kept)
      return kept
    },
    put,
  }
}
