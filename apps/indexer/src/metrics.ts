import type { Market } from '@svc/protocol'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Progress } from './follow.ts'

/** What operators watch. */
export function createMetrics() {
  const registry = new Registry()
  const of = { labelNames: ['market'] as const, registers: [registry] }
  const block = new Gauge({ ...of, name: 'svc_index_block', help: 'The last block in the index.' })
  const age = new Gauge({ ...of, name: 'svc_index_block_timestamp_seconds', help: 'Its time, in unix seconds.' })
  const events = new Counter({ ...of, name: 'svc_index_events_total', help: 'Events written.' })
  const rollbacks = new Counter({ ...of, name: 'svc_index_rollbacks_total', help: 'Reorganisations followed.' })
  const depth = new Gauge({ ...of, name: 'svc_index_rollback_depth_blocks', help: 'How deep the last one was.' })
  const stalls = new Counter({
    ...of,
    name: 'svc_index_stalls_total',
    help: 'Steps put off because something was in doubt.',
  })
  const writing = new Gauge({ ...of, name: 'svc_index_writing', help: '1 while this process writes, 0 on standby.' })
  const halted = new Gauge({ ...of, name: 'svc_index_halted', help: '1 when the index was taken out of service.' })
  const compared = new Counter({
    ...of,
    name: 'svc_index_compared_total',
    help: 'Rows compared with contract storage.',
  })
  const differences = new Counter({ ...of, name: 'svc_index_differences_total', help: 'Rows that differed.' })

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
