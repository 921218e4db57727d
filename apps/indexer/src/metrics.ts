import type { Market } from '@svc/protocol'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Progress } from './follow.ts'

/** Creates the metrics of the indexer. */
export function createIndexerMetrics() {
  const registry = new Registry()
  const common = { labelNames: ['market'] as const, registers: [registry] }
  const block = new Gauge({ ...common, name: 'svc_index_block', help: 'The last block in the index.' })
  const age = new Gauge({
    ...common,
    name: 'svc_index_block_timestamp_seconds',
    help: 'Timestamp of the last block in the index, in unix seconds.',
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

  return {
    registry,
    compared: (market: Market, rows: number, different: number) => {
      compared.inc({ market }, rows)
      differences.inc({ market }, different)
    },
    progress: (market: Market, progress: Progress) => {
      if ('cursor' in progress) {
        block.set({ market }, Number(progress.cursor.number))
        age.set({ market }, progress.cursor.timestamp)
      }
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
