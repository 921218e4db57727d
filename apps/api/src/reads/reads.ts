import { type At, ChainReadError, type MarketReader } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { awayError, HttpError } from '@svc/serve'
import { within } from '../within.ts'
import type { Watch } from './watch.ts'

/** Where an answer came from. */
export interface Origin {
  path: 'index' | 'direct'
  /** The chain cannot be reached: the answer is true at the last block that was seen. */
  stale: boolean
}

export interface Reads {
  /** Whether the index of a market follows the chain closely enough to be read. */
  isNear: (market: Market) => boolean
  /** Runs a read on the index, or on the chain where the index is behind, halted or gone. */
  read: <T extends object>(market: Market, work: (reader: MarketReader) => Promise<At<T>>) => Promise<At<T> & Origin>
  /** Waits until a block can be served. Throws 503 when that takes too long. */
  reach: (market: Market, minBlock: number) => Promise<void>
}

export interface ReadsOptions {
  watch: Watch
  index: MarketReader
  direct: MarketReader
  /** An index that is further behind is passed over. */
  maxLagBlocks?: number
  maxWaitMs?: number
  /** An index that is silent for longer is passed over: a database that hangs says nothing at all. */
  indexMs?: number
  now?: () => number
  /** Hears why the index was passed over although it is near. */
  onPassedOver?: (error: unknown) => void
}

/** Reads that choose where to read from, request by request. */
export function createReads({ watch, index, direct, ...options }: ReadsOptions): Reads {
  const { maxLagBlocks = 50, maxWaitMs = 2_000, indexMs = 2_000, now = Date.now, onPassedOver } = options

  const isNear = (market: Market) => {
    const [at, head] = [watch.indexed(market), watch.head()]
    return at !== null && !at.halted && (!head || Number(head.number - at.number) <= maxLagBlocks)
  }

  const fromIndex = async <T extends object>(work: (reader: MarketReader) => Promise<At<T>>) => ({
    ...(await within(indexMs, work(index))),
    path: 'index' as const,
    stale: watch.head() === null,
  })

  return {
    isNear,
    async read(market, work) {
      if (isNear(market)) {
        const found = await fromIndex(work).catch(passOver)
        if (found) return found
      }
      const found = await work(direct).catch((error: unknown) => {
        if (!(error instanceof ChainReadError) || !error.retryable) throw error
        return null
      })
      if (found) return { ...found, path: 'direct', stale: false }
      // Both are in trouble: an old answer that says so beats none.
      const at = watch.indexed(market)
      const old = at && !at.halted ? await fromIndex(work).catch(passOver) : null
      if (old) return { ...old, stale: true }
      throw awayError('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
    },

    async reach(market, minBlock) {
      const end = now() + maxWaitMs
      const reached = () => Number((isNear(market) ? watch.indexed(market) : watch.head())?.number ?? 0) >= minBlock
      while (!reached()) {
        const left = end - now()
        if (left <= 0) throw awayError('BLOCK_NOT_REACHED', `Block ${minBlock} is not served yet.`)
        await watch.changed(left)
      }
    },
  }

  /** The index could not be read: the chain can. What the handler itself refuses stays refused. */
  function passOver(error: unknown): null {
    if (error instanceof HttpError) throw error
    onPassedOver?.(error)
    return null
  }
}
