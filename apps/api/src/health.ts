import { type Market, markets } from '@svc/protocol'
import { classifyFault, type FaultReason, version } from '@svc/serve'
import type { Watch } from './reads/watch.ts'
import { withTimeout } from './withTimeout.ts'

/** The readiness of a replica, for load balancers and operators. */
export interface Readiness {
  ready: boolean
  version: string
  draining: boolean
  /** What is unreachable or lagging; reads may still work without it. */
  behind: readonly ('database' | 'chain' | 'index')[]
  /** `reason`: why it does not answer; null if it does. */
  database: { reachable: boolean; reason: FaultReason | null }
  /** `refused`: why providers are not used, one sentence each. */
  chain: {
    reachable: boolean
    reason: FaultReason | null
    block: number | null
    ageSeconds: number | null
    refused: readonly string[]
  }
  /** Services that this one passes requests on to, and did not reach the last time. */
  unreached: Readonly<Partial<Record<ForwardedName, FaultReason>>>
  index: Record<Market, { block: number; lagBlocks: number | null; ageSeconds: number; halted: boolean } | null>
}

/** The services that this one passes requests on to. */
const forwardedNames = ['store', 'notifier'] as const
export type ForwardedName = (typeof forwardedNames)[number]

export interface HealthOptions {
  watch: Watch
  /** Settles when the database answers. */
  ping: () => Promise<unknown>
  /** Aborted when the replica is about to stop. */
  stopping: AbortSignal
  listRefused?: () => readonly string[]
  /** Why a dependency did not answer the last time; null if it did. */
  findReason?: (dependency: 'chain' | ForwardedName) => FaultReason | null
  maxLagBlocks?: number
  pingMs?: number
  now?: () => number
}

/**
 * A replica is ready while it can answer reads, from the index or from the chain. A dependency that is down is down for all
 * replicas: taking all of them out of service would replace stale answers with none.
 */
export function createHealth(options: HealthOptions): () => Promise<Readiness> {
  const { watch, ping, stopping, listRefused = () => [], findReason = () => null } = options
  const { maxLagBlocks = 50, pingMs = 1_000, now = Date.now } = options
  let pending: Promise<FaultReason | null> | null = null

  /** Why the database does not answer in time; null if it does. Concurrent callers share one ping. */
  const pingOnce = (): Promise<FaultReason | null> => {
    pending ??= withTimeout(pingMs, ping())
      .then(() => null, classifyFault)
      .finally(() => {
        pending = null
      })
    return pending
  }

  return async () => {
    const reason = await pingOnce()
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
      version,
      draining,
      behind: [
        ...(reason ? (['database'] as const) : []),
        ...(head ? [] : (['chain'] as const)),
        ...(isBehind ? (['index'] as const) : []),
      ],
      database: { reachable: reason === null, reason },
      chain: {
        reachable: head !== null,
        reason: head ? null : (findReason('chain') ?? 'failed'),
        block: head && Number(head.number),
        ageSeconds: head && computeAge(head.timestamp),
        refused: listRefused(),
      },
      unreached: Object.fromEntries(forwardedNames.flatMap((name) => toEntry(name, findReason(name)))),
      index,
    }
  }
}

const toEntry = (name: ForwardedName, reason: FaultReason | null) => (reason ? [[name, reason] as const] : [])
