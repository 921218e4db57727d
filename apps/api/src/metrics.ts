import { markets } from '@svc/protocol'
import type { FairQueue } from '@svc/serve'
import { createResponseCounter } from '@svc/serve/metrics'
import { Counter, Gauge, Registry } from 'prom-client'
import { createDurations } from './durations.ts'
import type { Watch } from './reads/watch.ts'

export type Metrics = ReturnType<typeof createMetrics>

export interface MetricsOptions {
  watch: Watch
  registry?: Registry
  /** What reads the chain for clients, and what waits for its turn. */
  chainQueue?: Pick<FairQueue, 'size'>
  /** Whether the rate limits hold across replicas now. */
  areLimitsShared?: () => boolean
}

/** Metrics for operators. */
export function createMetrics({
  watch,
  registry = new Registry(),
  chainQueue,
  areLimitsShared = () => false,
}: MetricsOptions) {
  const registers = [registry]
  const durations = createDurations('svc_api_request_seconds', 'Time until an answer is ready.')
  registry.registerMetric(durations.metric)
  const count = createResponseCounter('svc_api_responses_total', registry)
  const answers = { cache: 0, source: 0 }
  let countInFlight = () => 0
  const gauge = (name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void) =>
    new Gauge({
      name: `svc_api_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        collect(this)
      },
    })

  new Counter({
    name: 'svc_api_read_answers_total',
    help: 'Answers to reads, by whether they were cached.',
    labelNames: ['from'],
    registers,
    collect() {
      this.reset()
      for (const from of ['cache', 'source'] as const) this.inc({ from }, answers[from])
    },
  })
  gauge('in_flight_requests', 'Requests in progress.', [], (each) => each.set(countInFlight()))
  gauge('chain_running_requests', 'Requests that read the chain.', [], (each) =>
    each.set(chainQueue?.size().running ?? 0),
  )
  gauge('chain_waiting_requests', 'Requests that wait to read the chain.', [], (each) =>
    each.set(chainQueue?.size().waiting ?? 0),
  )
  gauge('limits_shared', '1 while replicas count requests together, 0 while each counts for itself.', [], (each) =>
    each.set(areLimitsShared() ? 1 : 0),
  )
  gauge('chain_reachable', '1 while the chain can be read.', [], (each) => each.set(watch.head() ? 1 : 0))
  gauge('chain_head_age_seconds', 'Age of the newest block that was seen.', [], (each) => {
    const head = watch.head()
    if (head) each.set(Date.now() / 1000 - head.timestamp)
  })
  gauge('index_readable', '1 while the index can be read and is not halted.', ['market'], (each) => {
    for (const market of markets) each.set({ market }, watch.indexed(market)?.halted === null ? 1 : 0)
  })
  gauge('index_lag_seconds', 'How much older the block of answers is than the newest.', ['market'], (each) => {
    for (const market of markets) {
      const [head, at] = [watch.head(), watch.indexed(market)]
      if (head && at) each.set({ market }, Math.max(0, head.timestamp - at.timestamp))
    }
  })

  const certificate = new Gauge({
    name: 'svc_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of SVC_SITE_URL ends; 0 while it could not be read, or without https.',
    registers,
  })

  return {
    registry,
    certificateRead: (endsAt: number) => certificate.set(endsAt),
    watchInFlight(count: () => number) {
      countInFlight = count
    },
    answered(method: string, route: string, status: number, seconds: number) {
      durations.observe(method, route, status, seconds)
      count(status)
    },
    read(from: 'cache' | 'source') {
      answers[from]++
    },
  }
}
