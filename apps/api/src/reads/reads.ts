import { type At, ChainReadError, type MarketReader } from '@svc/chain'
import { ServiceError, unavailable } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { withTimeout } from '../withTimeout.ts'
import type { Watch } from './watch.ts'

/** The source of an answer. */
export interface Origin {
  path: 'index' | 'direct'
  /** The chain is unreachable: the answer is true at the last known block. */
  stale: boolean
}

export interface Reads {
  /** Whether a market's index is close enough to the chain to be used. */
  isNear: (market: Market) => boolean
  /** Runs a read on the index, or on the chain if the index is behind, halted or unavailable. */
  read: <T extends object>(market: Market, work: (reader: MarketReader) => Promise<At<T>>) => Promise<At<T> & Origin>
  /** Waits until a block can be served. Throws 503 on timeout. */
  reach: (market: Market, minBlock: number) => Promise<void>
}

export interface ReadsOptions {
  watch: Watch
  index: MarketReader
  direct: MarketReader
  /** An index that lags further behind is not used. */
  maxLagBlocks?: number
  maxWaitMs?: number
  /** Timeout for the index. A database that hangs returns no error. */
  indexMs?: number
  now?: () => number
  /** Called with the source of every read. Cached responses are not reads. */
  onRead?: (market: Market, origin: Origin) => void
  /** Called with the reason when the index could not be used although it is up to date. */
  onPassedOver?: (error: unknown) => void
}

/** Reads that choose their source per request. */
export function createReads({ watch, index, direct, ...options }: ReadsOptions): Reads {
  const { maxLagBlocks = 50, maxWaitMs = 2_000, indexMs = 2_000, now = Date.now, onRead, onPassedOver } = options

  const isNear = (market: Market) => {
    const [at, head] = [watch.indexed(market), watch.head()]
    return at !== null && !at.halted && (!head || Number(head.number - at.number) <= maxLagBlocks)
  }

  const fromIndex = async <T extends object>(work: (reader: MarketReader) => Promise<At<T>>) => ({
    ...(await withTimeout(indexMs, work(index))),
    path: 'index' as const,
    stale: watch.head() === null,
  })

  return {
    isNear,
    async read(market, work) {
      const found = await choose(market, work)
      onRead?.(market, found)
      return found
    },

    async reach(market, minBlock) {
      const end = now() + maxWaitMs
      const reached = () => Number((isNear(market) ? watch.indexed(market) : watch.head())?.number ?? 0) >= minBlock
      while (!reached()) {
        const left = end - now()
        if (left <= 0) throw unavailable('BLOCK_NOT_REACHED', `Block ${minBlock} is not served yet.`)
        await watch.changed(left)
      }
    },
  }

  /** Tries the index if it is up to date, then the chain, then the stale index. */
  async function choose<T extends object>(
    market: Market,
    work: (reader: MarketReader) => Promise<At<T>>,
  ): Promise<At<T> & Origin> {
    if (isNear(market)) {
      const found = await fromIndex(work).catch(passOver)
      if (found) return found
    }
    const found = await work(direct).catch((error: unknown) => {
      if (!(error instanceof ChainReadError) || !error.retryable) throw error
      return null
    })
    if (found) return { ...found, path: 'direct', stale: false }
    // Both failed: a stale answer that is marked as stale is better than none.
    const at = watch.indexed(market)
    const old = at && !at.halted ? await fromIndex(work).catch(passOver) : null
    if (old) return { ...old, stale: true }
    throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
  }

  /** The index failed, so use the chain. Errors from the handler itself are final. */
  function passOver(error: unknown): null {
    if (error instanceof ServiceError) throw error
    onPassedOver?.(error)
    return null
  }
}
