import type { BlockRef } from '@svc/chain'

/** The newest block, shared by concurrent callers and cached briefly. */
export interface Head {
  /** Throws the reader's error. */
  now: () => Promise<BlockRef>
  /** The last block seen, and whether the chain has failed to respond since. */
  last: () => { block: BlockRef | null; stale: boolean }
}

/** Creates a head that is cached for `lifeMs` milliseconds. */
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
