import { type Market, markets } from '@svc/protocol'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type RebuildOutcome, rebuildOutcomes } from './buildSupervisor.ts'
import type { ComparisonResult } from './compareMarket.ts'
import type { Progress } from './follow.ts'

/** What a gauge is about. */
interface GaugeLabels {
  build: string
  market: Market
  provider?: string
}

/**
 * Creates the metrics of the indexer. What is about a build says which, and whether that one serves. A counter counts apart what
 * happened while its build served and while it did not, and both start at 0: `increase()` does not see the increment that creates
 * a counter.
 */
export function createIndexerMetrics(registry = new Registry(), now: () => number = Date.now) {
  const common = { labelNames: ['market', 'build', 'serving'] as const, registers: [registry] }
  let serving: string | null = null
  const describe = (build: string, market: Market) => ({ market, build, serving: String(build === serving) })
  const gauges: { forget: (build: string) => void }[] = []
  /** Creates a gauge that looks up whether a build serves when it is read: that changes while the value stays. */
  const createGauge = (options: { name: string; help: string }) => {
    const values = new Map<string, { labels: GaugeLabels; value: number }>()
    new Gauge({
      ...options,
      labelNames: [...common.labelNames, 'provider'],
      registers: [registry],
      collect() {
        this.reset()
        for (const { labels, value } of values.values())
          this.set({ ...labels, ...describe(labels.build, labels.market) }, value)
      },
    })
    gauges.push({
      forget(build) {
        for (const [key, { labels }] of values) if (labels.build === build) values.delete(key)
      },
    })
    return {
      set: (labels: GaugeLabels, value: number) => void values.set(Object.values(labels).join(' '), { labels, value }),
    }
  }
  const block = createGauge({ name: 'svc_index_block', help: 'The last block in the index.' })
  const age = createGauge({
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
    help: '1 if a provider does not know the tag finalized, so that a depth of 9,000 blocks decides.',
  })
  const events = new Counter({ ...common, name: 'svc_index_events_total', help: 'Events written to the index.' })
  const rollbacks = new Counter({
    ...common,
    name: 'svc_index_rollbacks_total',
    help: 'Rollbacks after a reorganisation.',
  })
  const depth = createGauge({
    name: 'svc_index_rollback_depth_blocks',
    help: 'Depth of the last rollback in blocks.',
  })
  const stalls = new Counter({
    ...common,
    name: 'svc_index_stalls_total',
    help: 'Steps postponed because providers disagreed or the database failed.',
  })
  const writing = createGauge({
    name: 'svc_index_writing',
    help: '1 while this process writes, 0 on standby.',
  })
  const halted = createGauge({ name: 'svc_index_halted', help: '1 if the index was halted.' })
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
  for (const outcome of rebuildOutcomes) rebuilds.inc({ outcome }, 0)
  const doubted = createGauge({
    name: 'svc_index_provider_doubted',
    help: '1 while a provider contradicts itself or two others.',
  })

  return {
    registry,
    rebuild: (outcome: RebuildOutcome) => rebuilds.inc({ outcome }),
    headPushed: (provider: string) => heads.inc({ provider }),
    socketChanged: (provider: string, live: boolean) => {
      heads.inc({ provider }, 0)
      socket.set({ provider }, live ? 1 : 0)
    },
    finalityChanged: (provider: string, knowsTag: boolean) => assumed.set({ provider }, knowsTag ? 0 : 1),
    /** Readers see this build from now on. */
    servingChanged: (build: string | null) => {
      serving = build
    },
    /** This process begins to follow a build. */
    follow: (build: string) => {
      for (const market of markets) {
        for (const isServing of ['true', 'false']) {
          const labels = { market, build, serving: isServing }
          for (const counter of [events, rollbacks, stalls, compared, differences, healed]) counter.inc(labels, 0)
          lag.zero(labels)
        }
        for (const gauge of [writing, halted, depth]) gauge.set({ build, market }, 0)
      }
    },
    /** This process no longer follows a build. */
    forget: (build: string) => {
      for (const gauge of gauges) gauge.forget(build)
    },
    compared: (build: string, market: Market, result: ComparisonResult) => {
      const labels = describe(build, market)
      compared.inc(labels, result.rows)
      differences.inc(labels, result.differences.length)
      healed.inc(labels, result.healed)
    },
    doubt: (build: string, market: Market, provider: string, reason: string | null) =>
      doubted.set({ build, market, provider }, reason ? 1 : 0),
    progress: (build: string, market: Market, progress: Progress) => {
      const [labels, of] = [describe(build, market), { build, market }]
      if ('cursor' in progress) {
        block.set(of, Number(progress.cursor.number))
        age.set(of, progress.cursor.timestamp)
      }
      // Blocks of the past, while an index is filled, say nothing about lag.
      if (progress.kind === 'caughtUp' && progress.appended)
        lag.observe(labels, Math.max(0, now() / 1000 - progress.cursor.timestamp))
      if (progress.kind === 'writing') writing.set(of, 1)
      if (progress.kind === 'standby' || progress.kind === 'halted') writing.set(of, 0)
      halted.set(of, progress.kind === 'halted' ? 1 : 0)
      if (progress.kind === 'appended') events.inc(labels, progress.events)
      if (progress.kind === 'stalled') stalls.inc(labels)
      if (progress.kind === 'rolledBack') {
        rollbacks.inc(labels)
        depth.set(of, Number(progress.depth))
      }
    },
  }
}
