import { createRpcMetrics, recordBuildInfo } from '@svc/serve/metrics'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { SweepReport } from './sweep.ts'

export type StoreMetrics = ReturnType<typeof createStoreMetrics>

/** Metrics for operators. */
export function createStoreMetrics() {
  const registry = new Registry()
  recordBuildInfo(registry)
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  let countInFlight = () => 0
  const seconds = new Histogram({
    name: 'svc_store_request_seconds',
    help: 'Time until an answer is ready; for an upload, until its bytes are stored.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  })
  const removed = new Counter({
    name: 'svc_store_removed_total',
    help: 'What sweeps removed: parts without a bundle, and tasks and messages after their retention.',
    labelNames: ['what'],
    registers,
  })
  const sweptAt = new Gauge({
    name: 'svc_store_swept_timestamp_seconds',
    help: 'When the last sweep was complete, in unix seconds.',
    registers,
  })
  new Gauge({
    name: 'svc_store_in_flight_requests',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(countInFlight())
    },
  })
  return {
    registry,
    rpcCall: createRpcMetrics(registry),
    watchInFlight(count: () => number) {
      countInFlight = count
    },
    answered(method: string, route: string, status: number, elapsed: number) {
      seconds.observe({ method, route, status: String(status) }, elapsed)
    },
    swept({ parts, tasks, mail }: SweepReport) {
      removed.inc({ what: 'part' }, parts)
      removed.inc({ what: 'task' }, tasks)
      removed.inc({ what: 'mail' }, mail)
      sweptAt.setToCurrentTime()
    },
  }
}
