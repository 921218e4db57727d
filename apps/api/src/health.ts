import { type Market, markets } from '@svc/protocol'
import type { Watch } from './reads/watch.ts'
import { withTimeout } from './withTimeout.ts'

/** The readiness of a replica, for load balancers and operators. */
export interface Readiness {
  ready: boolean
  draining: boolean
  /** What is unreachable or lagging; reads may still work without it. */
  behind: readonly ('database' | 'chain' | 'index')[]
  database: { reachable: boolean }
  /** `refused`: why providers are not used, one sentence each. */
  chain: { reachable: boolean; block: number | null; ageSeconds: number | null; refused: readonly string[] }
  index: Record<Market, { block: number; lagBlocks: number | null; ageSeconds: number; halted: boolean } | null>
}

export interface HealthOptions {
  watch: Watch
  /** Settles when the database answers. */
  ping: () => Promise<unknown>
  /** Aborted when the replica is about to stop. */
  stopping: AbortSignal
  listRefused?: () => readonly string[]
  maxLagBlocks?: number
  pingMs?: number
  now?: () => number
}

/**
 * A replica is ready while it can answer reads, from the index or from the chain. A dependency that is down is down for all
 * replicas: taking all of them out of service would replace stale answers with none.
 */
export function createHealth(options: HealthOptions): () => Promise<Readiness> {
  const { watch, ping, stopping, listRefused = () => [], maxLagBlocks = 50, pingMs = 1_000, now = Date.now } = options
  let pending: Promise<boolean> | null = null

  /** Whether the database answers in time. Concurrent callers share one ping. */
  const pingOnce = (): Promise<boolean> => {
    pending ??= withTimeout(pingMs, ping())
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        pending = null
      })
    return pending
  }

  return async () => {
    const reachable = await pingOnce()
    const head = watch.head()
    const computeAge = (timestamp: number) => Math.max(0, Math.round(now() / 1000 - timestamp))
    const describeIndex = (market: Market) => {
      const at = watch.indexed(market)
      if (!at) return null
      const lagBlocks = head ? Math.max(0, Number(head.number - at.number)) : null
      return { block: Number(at.number), lagBlocks, ageSeconds: computeAge(at.timestamp), halted: at.halted !== null }
    }
    const index = Object.fromEntries(markets.map((market) => [market, describeIndex(market)])) as Readiness['index']
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
        ageSeconds: head && computeAge(head.timestamp),
        refused: listRefused(),
      },
      index,
    }
  }
}
