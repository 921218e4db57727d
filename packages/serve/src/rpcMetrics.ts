import type { RpcCallReport } from '@svc/chain'

interface MetricOptions<Label extends string> {
  name: string
  help: string
  labelNames: Label[]
}

/** Creates metrics in a registry of prom-client, which only apps depend on. */
export interface MetricFactory {
  counter: (options: MetricOptions<'provider' | 'method' | 'outcome'>) => {
    inc: (labels: Record<'provider' | 'method' | 'outcome', string>) => void
  }
  histogram: (options: MetricOptions<'provider'> & { buckets: number[] }) => {
    observe: (labels: Record<'provider', string>, seconds: number) => void
  }
}

/** Creates the metrics of RPC providers, the same for every app. Returns the function that records a call. */
export function createRpcMetrics({ counter, histogram }: MetricFactory): (report: RpcCallReport) => void {
  const calls = counter({
    name: 'svc_rpc_calls_total',
    help: 'Calls to RPC providers, by method and outcome. Calls that were held back have the outcome held.',
    labelNames: ['provider', 'method', 'outcome'],
  })
  const seconds = histogram({
    name: 'svc_rpc_seconds',
    help: 'Time until a provider answered.',
    labelNames: ['provider'],
    buckets: [0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 10],
  })
  return ({ provider, method, outcome, seconds: elapsed }) => {
    calls.inc({ provider, method, outcome })
    if (outcome !== 'held') seconds.observe({ provider }, elapsed)
  }
}
