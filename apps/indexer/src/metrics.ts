import type { Market } from '@svc/protocol'
import { createAppMetrics } from '@svc/serve/metrics'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { ComparisonResult } from './compareMarket.ts'
import type { Progress } from './follow.ts'

/** Creates the metrics of the indexer. */
export function createIndexerMetrics(now: () => number = Date.now) {
  const { registry, rpcCall } = createAppMetrics()
  const common = { labelNames: ['market'] as const, registers: [registry] }
  const block = new Gauge({ ...common, name: 'svc_index_block', help: 'The last block in the index.' })
  const age = new Gauge({
    ...common,
    name: 'svc_index_block_timestamp_seconds',
    help: 'Timestamp of the last block in the index, in unix seconds.',
  })
  const lag = new Histogram({
    ...common,
    name: 'svc_index_lag_seconds',
    help: 'Age of the newest block when it was written, once caught up. Chain timestamps are whole seconds.',
    buckets: [0.5, 1, 2, 3, 5, 10, 30],
  })
  const perProvider = { labelNames: ['provider'] as const, registers: [registry] }
  const heads = new Counter({
    ...perProvider,
    name: 'svc_index_heads_total',
    help: 'Heads that a provider pushed over WebSocket.',
  })
  const socket = new Gauge({
    ...perProvider,
    name: 'svc_index_socket_live',
    help: '1 while a provider pushes heads, 0 while it is polled instead.',
  })
  const assumed = new Gauge({
    ...perProvider,
    name: 'svc_index_finality_assumed',
    help: '1 if a provider does not know the tag finalized, so that SVC_INDEX_FINAL_DEPTH decides.',
  })
  const events = new Counter({ ...common, name: 'svc_index_events_total', help: 'Events written to the index.' })
  const rollbacks = new Counter({
    ...common,
    name: 'svc_index_rollbacks_total',
    help: 'Rollbacks after a reorganisation.',
  })
  const depth = new Gauge({
    ...common,
    name: 'svc_index_rollback_depth_blocks',
    help: 'Depth of the last rollback in blocks.',
  })
  const stalls = new Counter({
    ...common,
    name: 'svc_index_stalls_total',
    help: 'Steps postponed because providers disagreed or the database failed.',
  })
  const writing = new Gauge({
    ...common,
    name: 'svc_index_writing',
    help: '1 while this process writes, 0 on standby.',
  })
  const halted = new Gauge({ ...common, name: 'svc_index_halted', help: '1 if the index was halted.' })
  const compared = new Counter({
    ...common,
    name: 'svc_index_compared_total',
    help: 'Rows compared with contract storage.',
  })
  const differences = new Counter({
    ...common,
    name: 'svc_index_differences_total',
    help: 'Rows that differed from contract storage.',
  })
  const healed = new Counter({
    ...common,
    name: 'svc_index_healed_total',
    help: 'Rows that differed and are right again after they were folded again from their events.',
  })

  const rebuilds = new Counter({
    name: 'svc_index_rebuilds_total',
    help: 'New builds beside the serving one, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  const doubted = new Gauge({
    name: 'svc_index_provider_doubted',
    help: '1 while a provider contradicts itself or two others.',
    labelNames: ['market', 'provider'] as const,
    registers: [registry],
  })

  return {
    registry,
    rpcCall,
    rebuild: (outcome: string) => rebuilds.inc({ outcome }),
    headPushed: (provider: string) => heads.inc({ provider }),
    socketChanged: (provider: string, live: boolean) => socket.set({ provider }, live ? 1 : 0),
    finalityChanged: (provider: string, knowsTag: boolean) => assumed.set({ provider }, knowsTag ? 0 : 1),
    compared: (market: Market, result: ComparisonResult) => {
      compared.inc({ market }, result.rows)
      differences.inc({ market }, result.differences.length)
      healed.inc({ market }, result.healed)
    },
    doubt: (market: Market, provider: string, reason: string | null) =>
      doubted.set({ market, provider }, reason ? 1 : 0),
    progress: (market: Market, progress: Progress) => {
      if ('cursor' in progress) {
        block.set({ market }, Number(progress.cursor.number))
        age.set({ market }, progress.cursor.timestamp)
      }
      // Blocks of the past, while an index is filled, say nothing about lag.
      if (progress.kind === 'caughtUp' && progress.appended)
        lag.observe({ market }, Math.max(0, now() / 1000 - progress.cursor.timestamp))
      if (progress.kind === 'writing') writing.set({ market }, 1)
      if (progress.kind === 'standby' || progress.kind === 'halted') writing.set({ market }, 0)
      halted.set({ market }, progress.kind === 'halted' ? 1 : 0)
      if (progress.kind === 'appended') events.inc({ market }, progress.events)
      if (progress.kind === 'stalled') stalls.inc({ market })
      if (progress.kind === 'rolledBack') {
        rollbacks.inc({ market })
        depth.set({ market }, Number(progress.depth))
      }
    },
  }
}
