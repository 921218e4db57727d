import type { BlockRef } from '@svc/chain'
import type { ServedCursor } from '@svc/index'
import type { Market } from '@svc/protocol'
import { withTimeout } from '../withTimeout.ts'

/** The current state of the index and the chain, as this replica sees it. */
export interface Watch {
  /** Null while the index is unreachable. */
  indexed: (market: Market) => ServedCursor | null
  /** The newest block of the chain; null while the chain is unreachable. */
  head: () => BlockRef | null
  /** Resolves when one of the above changed, or after `ms` milliseconds. */
  changed: (ms: number) => Promise<void>
  stop: () => Promise<void>
}

export interface WatchOptions {
  readIndex: () => Promise<ReadonlyMap<Market, ServedCursor>>
  readHead: () => Promise<BlockRef>
  /** Calls back whenever the index reports progress; returns an unsubscribe function. */
  listen: (onMove: () => void) => Promise<() => Promise<void>>
  pollMs?: number
  /** How long the last known head stays valid when it cannot be refreshed. */
  headLifeMs?: number
  /** An index that reports no state for this long counts as unreachable. */
  indexMs?: number
  now?: () => number
}

/** Refreshes the index state on notifications, and both at an interval. Never throws: an unreachable source is null. */
export function createWatch(options: WatchOptions): Watch {
  const { readIndex, readHead, listen, pollMs = 1_000, headLifeMs = 5_000, indexMs = 2_000, now = Date.now } = options
  let indexed: ReadonlyMap<Market, ServedCursor> = new Map()
  let head: BlockRef | null = null
  let headAt = 0
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const waiter of waiting) waiter()
  }

  // One request at a time, or requests to a hanging source would pile up.
  let pending: ReturnType<typeof readIndex> | null = null
  const refreshIndex = coalesce(async () => {
    pending ??= readIndex().finally(() => {
      pending = null
    })
    indexed = await withTimeout(indexMs, pending).catch(() => new Map())
    wake()
  })
  const refreshHead = coalesce(async () => {
    const found = await readHead().catch(() => null)
    if (found) [head, headAt] = [found, now()]
    else if (now() - headAt > headLifeMs) head = null
    wake()
  })
  const refresh = () => {
    refreshIndex()
    refreshHead()
  }
  refresh()
  const timer = setInterval(refresh, pollMs)
  const unsubscribe = listen(refreshIndex).catch(() => async () => {})

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
      await (await unsubscribe)()
      wake()
    },
  }
}

/** Runs one call at a time. Calls made meanwhile are merged into one run afterwards. */
function coalesce(work: () => Promise<void>): () => void {
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
