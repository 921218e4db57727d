import { type Facts, respond, respondOnce } from '@svc/serve'
import type { Readiness } from './health.ts'
import type { Metrics } from './metrics.ts'

/** Asked by machines of the operator: neither limited nor logged. A proxy keeps them from the public. */
export const probes = ['/healthz', '/readyz', '/metrics'] as const

export interface ProbeDeps {
  health: () => Promise<Readiness>
  metrics: Metrics
}

/** Alive, ready for requests, and all figures. */
export async function answerProbe(
  path: (typeof probes)[number],
  facts: Facts,
  { health, metrics: { registry } }: ProbeDeps,
): Promise<Response> {
  if (path === '/healthz') return respondOnce(facts, 'GET', 200, { alive: true })
  if (path === '/metrics') {
    const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
    return respond(facts, 200, await registry.metrics(), headers)
  }
  const readiness = await health()
  return respondOnce(facts, 'GET', readiness.ready ? 200 : 503, readiness)
}
