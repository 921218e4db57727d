// Apart from the index: prom-client is loaded by the services that have metrics, and not by the gateway or the tools.
import { statfs } from 'node:fs/promises'
import type { ProviderObserver, RpcCallReport } from '@svc/chain'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from './version.ts'

/** Creates the metrics that every process has: its version, memory and processor time, its RPC calls and the room on its disks. */
export function createAppMetrics(folders: readonly string[] = ['/']) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  recordBuildInfo(registry)
  watchDisks(registry, folders)
  return { registry, observer: createProviderMetrics(registry) }
}

/** The metrics of several registries as one. */
export const mergeMetrics = (list: () => readonly Registry[]) => ({
  contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  metrics: () => Registry.merge([...list()]).metrics(),
})

export interface ServiceMetricsOptions {
  /** The time of a request. The buckets are upper bounds in seconds. */
  requestSeconds: { name: string; help: string; buckets: number[] }
  /** The number of requests in progress. */
  inFlight: { name: string }
  responses: { name: string }
  registry: Registry
}

/**
 * Creates a function that counts responses by the first digit of their status. All classes exist from the start: `rate()` and
 * `increase()` do not see the increment that creates a counter, so the first errors of a status would not count.
 */
export function createResponseCounter(name: string, registry: Registry): (status: number) => void {
  const counts = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
  new Counter({
    name,
    help: 'Responses by class of status.',
    labelNames: ['class'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [each, count] of Object.entries(counts)) this.inc({ class: each }, count)
    },
  })
  return (status) => {
    if (status >= 500) counts['5xx']++
    else if (status >= 400) counts['4xx']++
    else if (status >= 300) counts['3xx']++
    else counts['2xx']++
  }
}

/** Creates the metrics that every service has of its requests. */
export function createServiceMetrics({ requestSeconds, inFlight, responses, registry }: ServiceMetricsOptions) {
  const count = createResponseCounter(responses.name, registry)
  const registers = [registry]
  let countInFlight = () => 0
  const seconds = new Histogram({
    ...requestSeconds,
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  new Gauge({
    ...inFlight,
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(countInFlight())
    },
  })
  return {
    registry,
    watchInFlight(read: () => number) {
      countInFlight = read
    },
    answered(method: string, route: string, status: number, elapsed: number) {
      seconds.observe({ method, route, status: String(status) }, elapsed)
      count(status)
    },
  }
}

/** Says in the metrics of an app which version runs. */
function recordBuildInfo(registry: Registry): void {
  const gauge = new Gauge({
    name: 'svc_build_info',
    help: 'The version of this process; the value is always 1.',
    labelNames: ['version'],
    registers: [registry],
  })
  gauge.set({ version }, 1)
}

/** Says how much of a disk is free, at the place where this process runs and writes. A folder that is gone has none. */
function watchDisks(registry: Registry, folders: readonly string[]): void {
  new Gauge({
    name: 'svc_disk_free_ratio',
    help: 'The part of the disk of a folder that is free, 0 to 1.',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      for (const folder of folders) {
        const free = await statfs(folder).then(
          ({ bavail, blocks }) => bavail / blocks,
          () => 0,
        )
        this.set({ folder }, free)
      }
    },
  })
}

/** Creates the metrics of RPC providers, the same for every app. */
function createProviderMetrics(registry: Registry) {
  const registers = [registry]
  const calls = new Counter({
    name: 'svc_rpc_calls_total',
    help: 'Calls to RPC providers, by method and outcome. Calls that were held back have the outcome held.',
    labelNames: ['provider', 'method', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'svc_rpc_seconds',
    help: 'Time until a provider answered.',
    labelNames: ['provider'],
    buckets: [0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 10],
    registers,
  })
  const silent = new Gauge({
    name: 'svc_rpc_silent',
    help: '1 while a provider does not answer and is only probed, unless too few others answer.',
    labelNames: ['provider'],
    registers,
  })
  const hedges = new Counter({
    name: 'svc_rpc_hedges_total',
    help: 'Reads that asked a second provider because this one had not answered yet.',
    labelNames: ['provider'],
    registers,
  })
  return {
    onCall({ provider, method, outcome, seconds: elapsed }: RpcCallReport) {
      calls.inc({ provider, method, outcome })
      if (outcome !== 'held') seconds.observe({ provider }, elapsed)
    },
    onSilent: (provider: string, isSilent: boolean) => silent.set({ provider }, isSilent ? 1 : 0),
    onHedge: (provider: string) => hedges.inc({ provider }),
  } satisfies ProviderObserver
}
