import type { BlockRef } from '@svc/chain'

/** The newest block, asked for once for all who want to know within a moment. */
export interface Head {
  /** Throws what the reader throws. */
  now: () => Promise<BlockRef>
  /** The last that was seen, and whether the chain did not answer since. */
  last: () => { block: BlockRef | null; stale: boolean }
}

/** Remembers a head for so long. */
export function createHead(read: () => Promise<BlockRef>, lifeMs = 250, now: () => number = Date.now): Head {
  let [block, at, stale] = [null as BlockRef | null, 0, false]
  let asked: Promise<BlockRef> | null = null

  const ask = async () => {
    try {
      block = await read()
      ;[at, stale] = [now(), false]
      return block
    } catch (error) {
      stale = true
      throw error
    }
  }
  return {
    now: () => {
      if (block && !stale && now() - at < lifeMs) return Promise.resolve(block)
      asked ??= ask().finally(() => {
        asked = null
      })
      return asked
    },
    last: () => ({ block, stale }),
  }
}
