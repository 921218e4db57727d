import { createServiceMetrics } from '@svc/serve/metrics'
import { Counter, Gauge, Registry } from 'prom-client'
import type { SweepReport } from './sweep.ts'

/** Metrics for operators. */
export function createStoreMetrics(registry = new Registry()) {
  const service = createServiceMetrics({
    requestSeconds: {
      name: 'svc_store_request_seconds',
      help: 'Time until an answer is ready; for an upload, until its bytes are stored.',
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    },
    inFlight: { name: 'svc_store_in_flight_requests' },
    responses: { name: 'svc_store_responses_total' },
    registry,
  })
  const registers = [registry]
  const removed = new Counter({
    name: 'svc_store_removed_total',
    help: 'What sweeps removed: parts without a bundle, and tasks and messages after their retention.',
    labelNames: ['what'],
    registers,
  })
  const sweptAt = new Gauge({
    name: 'svc_store_swept_timestamp_seconds',
    help: 'When the last sweep was complete, or before the first one when the store started, in unix seconds.',
    registers,
  })
  sweptAt.setToCurrentTime()
  for (const what of ['part', 'task', 'mail']) removed.inc({ what }, 0)
  const bytes = new Gauge({ name: 'svc_store_bytes', help: 'Bytes of the parts that are held.', registers })
  const newcomerBytes = new Gauge({
    name: 'svc_store_newcomer_bytes',
    help: 'What wallets that are not established store in the database, in bytes.',
    registers,
  })
  const differs = new Gauge({
    name: 'svc_store_key_differs',
    help: '1 if the site names a store with another key, so that receipts of this one would not count.',
    registers,
  })
  return {
    ...service,
    keyDiffers: (isOther: boolean) => differs.set(isOther ? 1 : 0),
    swept({ parts, tasks, mail, heldBytes, newcomerBytes: ofNewcomers }: SweepReport) {
      bytes.set(heldBytes)
      newcomerBytes.set(ofNewcomers)
      removed.inc({ what: 'part' }, parts)
      removed.inc({ what: 'task' }, tasks)
      removed.inc({ what: 'mail' }, mail)
      sweptAt.setToCurrentTime()
    },
  }
}
