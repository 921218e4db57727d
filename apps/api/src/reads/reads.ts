import { type At, ChainReadError, type MarketReader } from '@svc/chain'
import { type ReadPath, ServiceError, unavailable } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { withTimeout } from '../withTimeout.ts'
import type { Watch } from './watch.ts'

/** The source of an answer. */
export interface Origin {
  path: ReadPath
  /** The chain is unreachable: the answer is true at the last known block. */
  stale: boolean
}

export interface Reads {
  /** Whether a market's index is close enough to the chain to be used. */
  isNear: (market: Market) => boolean
  /** Runs a read on the index, or on the chain if the index is behind, halted or unavailable, or if `path` is "chain". */
  read: <T extends object>(
    market: Market,
    work: (reader: MarketReader) => Promise<At<T>>,
    path?: 'chain',
  ) => Promise<At<T> & Origin>
  /** Repeats `work` until its answer is at `minBlock` or later. Throws 503 on timeout. */
  reach: <T extends { blockNumber: bigint }>(
    market: Market,
    options: { minBlock: number; path?: 'chain' | undefined },
    work: () => T | Promise<T>,
  ) => Promise<T>
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
    async read(market, work, path) {
      const found = await (path ? readChain(work) : choose(market, work))
      onRead?.(market, found)
      return found
    },

    async reach(market, { minBlock, path }, work) {
      const end = now() + maxWaitMs
      for (;;) {
        const source = !path && isNear(market) ? watch.indexed(market) : watch.head()
        // The source may have reached the block while the answer has not: another provider answered, or a cache.
        const found = Number(source?.number ?? 0) >= minBlock ? await work() : null
        if (found && found.blockNumber >= BigInt(minBlock)) return found
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
    const found = await readChain(work).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'CHAIN_UNREACHABLE') throw error
      return null
    })
    if (found) return found
    // Both failed: a stale answer that is marked as stale is better than none.
    const at = watch.indexed(market)
    const old = at && !at.halted ? await fromIndex(work).catch(passOver) : null
    if (old) return { ...old, stale: true }
    throw chainUnreachable()
  }

  async function readChain<T extends object>(work: (reader: MarketReader) => Promise<At<T>>): Promise<At<T> & Origin> {
    const found = await work(direct).catch((error: unknown) => {
      throw error instanceof ChainReadError && error.retryable ? chainUnreachable() : error
    })
    return { ...found, path: 'chain', stale: false }
  }

  /** The index failed, so use the chain. Errors from the handler itself are final. */
  function passOver(error: unknown): null {
    if (error instanceof ServiceError) throw error
    onPassedOver?.(error)
    return null
  }
}

const chainUnreachable = () => unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
