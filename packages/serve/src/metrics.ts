// Apart from the index: prom-client is loaded by the services that have metrics, and not by the gateway or the tools.
import type { ProviderObserver, RpcCallReport } from '@svc/chain'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from './version.ts'

/** Creates the metrics that every app has: its version and its RPC calls. */
export function createAppMetrics() {
  const registry = new Registry()
  recordBuildInfo(registry)
  return { registry, observer: createProviderMetrics(registry) }
}

export interface ServiceMetricsOptions {
  /** The time of a request. The buckets are upper bounds in seconds. */
  requestSeconds: { name: string; help: string; buckets: number[] }
  /** The number of requests in progress. */
  inFlight: { name: string }
}

/** Creates the metrics that every service has: those of an app, of the process and of its requests. */
export function createServiceMetrics({ requestSeconds, inFlight }: ServiceMetricsOptions) {
  const app = createAppMetrics()
  const registers = [app.registry]
  collectDefaultMetrics({ register: app.registry })
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
    ...app,
    watchInFlight(count: () => number) {
      countInFlight = count
    },
    answered(method: string, route: string, status: number, elapsed: number) {
      seconds.observe({ method, route, status: String(status) }, elapsed)
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
