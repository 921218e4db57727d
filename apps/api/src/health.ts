import { type Market, markets } from '@svc/protocol'
import type { Watch } from './reads/watch.ts'
import { within } from './within.ts'

/** How a replica stands, for those who decide whether it gets requests. */
export interface Readiness {
  ready: boolean
  draining: boolean
  /** What is away or behind; reads may go on without it. */
  behind: readonly ('database' | 'chain' | 'index')[]
  database: { reachable: boolean }
  chain: { reachable: boolean; block: number | null; ageSeconds: number | null }
  index: Record<Market, { block: number; lagBlocks: number | null; ageSeconds: number; halted: boolean } | null>
}

export interface HealthOptions {
  watch: Watch
  /** Settles when the database answers. */
  ping: () => Promise<unknown>
  /** Aborted when the replica is about to stop. */
  stopping: AbortSignal
  maxLagBlocks?: number
  pingMs?: number
  now?: () => number
}

/**
 * A replica is ready while it can answer reads: from the index, or from the chain. What is away is away for all replicas,
 * so taking them all out of service would only turn old answers into none.
 */
export function createHealth(options: HealthOptions): () => Promise<Readiness> {
  const { watch, ping, stopping, maxLagBlocks = 50, pingMs = 1_000, now = Date.now } = options
  let asked: Promise<boolean> | null = null

  /** Whether the database answers in time; asked once for all who want to know meanwhile. */
  const pingOnce = (): Promise<boolean> => {
    asked ??= within(pingMs, ping())
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = null
      })
    return asked
  }

  return async () => {
    const reachable = await pingOnce()
    const head = watch.head()
    const ageOf = (timestamp: number) => Math.max(0, Math.round(now() / 1000 - timestamp))
    const indexOf = (market: Market) => {
      const at = watch.indexed(market)
      if (!at) return null
      const lagBlocks = head ? Math.max(0, Number(head.number - at.number)) : null
      return { block: Number(at.number), lagBlocks, ageSeconds: ageOf(at.timestamp), halted: at.halted !== null }
    }
    const index = Object.fromEntries(markets.map((market) => [market, indexOf(market)])) as Readiness['index']
    const isWhole = markets.every((market) => index[market] && !index[market].halted)
    const isBehind = !isWhole || markets.some((market) => (index[market]?.lagBlocks ?? 0) > maxLagBlocks)
    const draining = stopping.aborted
    return {
      ready: !draining && (head !== null || isWhole),
      draining,
      behind: [
        ...(reachable ? [] : (['database'] as const)),
        ...(head ? [] : (['chain'] as const)),
        ...(isBehind ? (['index'] as const) : []),
      ],
      database: { reachable },
      chain: {
        reachable: head !== null,
        block: head && Number(head.number),
        ageSeconds: head && ageOf(head.timestamp),
      },
      index,
    }
  }
}
