import type { BlockRef } from '@svc/chain'
import type { ServedCursor } from '@svc/index'
import type { Market } from '@svc/protocol'
import { within } from '../within.ts'

/** What a replica knows of the outside from moment to moment. */
export interface Watch {
  /** Null while the index cannot be read. */
  indexed: (market: Market) => ServedCursor | null
  /** The newest block of the chain; null while it cannot be read. */
  head: () => BlockRef | null
  /** Settles when something above changed, or after so many milliseconds. */
  changed: (ms: number) => Promise<void>
  stop: () => Promise<void>
}

export interface WatchOptions {
  readIndex: () => Promise<ReadonlyMap<Market, ServedCursor>>
  readHead: () => Promise<BlockRef>
  /** Calls back whenever the index says that it moved; answers how to stop that. */
  listen: (onMove: () => void) => Promise<() => Promise<void>>
  pollMs?: number
  /** So long a head that cannot be renewed is still believed. */
  headLifeMs?: number
  /** An index that does not say for so long where it stands cannot be read. */
  indexMs?: number
  now?: () => number
}

/** Looks at the index when it says that it moved, and at both every so often. Never throws: what cannot be seen is null. */
export function createWatch(options: WatchOptions): Watch {
  const { readIndex, readHead, listen, pollMs = 1_000, headLifeMs = 5_000, indexMs = 2_000, now = Date.now } = options
  let indexed: ReadonlyMap<Market, ServedCursor> = new Map()
  let head: BlockRef | null = null
  let headAt = 0
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const waiter of waiting) waiter()
  }

  // While one question is not answered no other is asked: they would wait behind each other for ever.
  let asked: ReturnType<typeof readIndex> | null = null
  const lookAtIndex = once(async () => {
    asked ??= readIndex().finally(() => {
      asked = null
    })
    indexed = await within(indexMs, asked).catch(() => new Map())
    wake()
  })
  const lookAtHead = once(async () => {
    const found = await readHead().catch(() => null)
    if (found) [head, headAt] = [found, now()]
    else if (now() - headAt > headLifeMs) head = null
    wake()
  })
  const look = () => {
    lookAtIndex()
    lookAtHead()
  }
  look()
  const timer = setInterval(look, pollMs)
  const deaf = listen(lookAtIndex).catch(() => async () => {})

  return {
    indexed: (market) => indexed.get(market) ?? null,
    head: () => head,
    changed: (ms) =>
      new Promise((done) => {
        const waiter = () => {
          clearTimeout(timeout)
          waiting.delete(waiter)
          done()
        }
        const timeout = setTimeout(waiter, ms)
        waiting.add(waiter)
      }),
    async stop() {
      clearInterval(timer)
      await (await deaf)()
      wake()
    },
  }
}

/** Runs one at a time; asked again meanwhile, once more afterwards. */
function once(work: () => Promise<void>): () => void {
  let [running, again] = [false, false]
  const run = async () => {
    running = true
    do {
      again = false
      await work()
    } while (again)
    running = false
  }
  return () => {
    if (running) again = true
    else void run()
  }
}
