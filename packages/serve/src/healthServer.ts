import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { version } from './version.ts'

/** Requested by the operator's machines: neither rate limited nor logged. A proxy hides them from the public. */
export const probes = ['/healthz', '/readyz', '/metrics'] as const

export interface HealthServerOptions {
  /** 0 picks a free port. */
  port: number
  host: string
  /** Its answer is the body of `/readyz`. */
  readiness: () => Promise<{ ready: boolean }>
  /** The metrics: a registry of prom-client. */
  registry: { contentType: string; metrics: () => Promise<string> }
}

/** Serves the probes without authentication, so the address must be internal. */
export async function startHealthServer({ port, host, readiness, registry }: HealthServerOptions): Promise<Server> {
  // Concurrent requests share one query.
  let pending: Promise<{ ready: boolean }> | null = null
  const ready = () => {
    pending ??= readiness().finally(() => {
      pending = null
    })
    return pending
  }
  const server = createServer(async ({ url }, response) => {
    if (url === '/metrics') {
      response.setHeader('content-type', registry.contentType).end(await registry.metrics())
    } else if (url === '/readyz') {
      const answer = await ready()
      response.setHeader('content-type', 'application/json')
      response.writeHead(answer.ready ? 200 : 503).end(JSON.stringify(answer))
    } else if (url === '/healthz') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ alive: true, version }))
    } else response.writeHead(404).end()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
