import { type probes, type RequestContext, respond, respondOnce, version } from '@svc/serve'
import type { Readiness } from './health.ts'
import type { Metrics } from './metrics.ts'

export interface ProbeDeps {
  health: () => Promise<Readiness>
  metrics: Metrics
}

/** Liveness, readiness and metrics. */
export async function answerProbe(
  path: (typeof probes)[number],
  context: RequestContext,
  { health, metrics: { registry } }: ProbeDeps,
): Promise<Response> {
  if (path === '/healthz') return respondOnce(context, 'GET', 200, { alive: true, version })
  if (path === '/metrics') {
    const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
    return respond(context, 200, await registry.metrics(), headers)
  }
  const readiness = await health()
  return respondOnce(context, 'GET', readiness.ready ? 200 : 503, readiness)
}
