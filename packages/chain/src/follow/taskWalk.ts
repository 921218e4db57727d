import type { Market } from '@svc/protocol'
import type { TaskListing } from './taskListing.ts'

/** A repeated walk over all tasks of a market. It finds what no event led to: after a start, a deep reorg or a missed log. */
export interface TaskWalk {
  /** Returns the next numbers; none while the walk rests. */
  next: () => Promise<readonly bigint[]>
  /** Whether the current walk has more pages. */
  isWalking: () => boolean
  /** Whether all tasks were listed at least once. */
  isComplete: () => boolean
}

/** One walk in so many lists the tasks from the chain, so that an API that hides a task only delays it. */
const chainEvery = 6

/** Creates a walk over the preferred listing. After an error, the rest of that walk uses the chain. */
export function createTaskWalk({
  market,
  chain,
  api,
  restMs,
  onFallback,
  now = Date.now,
}: {
  market: Market
  chain: TaskListing
  api?: TaskListing | undefined
  restMs: number
  onFallback?: (error: Error) => void
  now?: () => number
}): TaskWalk {
  let walks = 0
  let current: { listing: TaskListing; cursor: string | null } | null = { listing: api ?? chain, cursor: null }
  let endedAt = Number.NEGATIVE_INFINITY
  return {
    isWalking: () => current !== null,
    isComplete: () => walks > 0,
    async next() {
      if (!current) {
        if (now() - endedAt < restMs) return []
        current = { listing: api && walks % chainEvery !== 0 ? api : chain, cursor: null }
      }
      const { listing, cursor } = current
      try {
        const page = await listing.listPage(market, cursor)
        current = page.next === null ? null : { listing, cursor: page.next }
        if (!current) [walks, endedAt] = [walks + 1, now()]
        return page.numbers
      } catch (error) {
        if (listing === chain) throw error
        onFallback?.(error as Error)
        current = { listing: chain, cursor: null }
        return []
      }
    },
  }
}
