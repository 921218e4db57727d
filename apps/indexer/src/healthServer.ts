import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Registry } from 'prom-client'
import type { Readiness } from './health.ts'

/** Serves `/healthz`, `/readyz` and `/metrics` without authentication, so the address must be internal. */
export async function startHealthServer(
  port: number,
  host: string,
  readiness: () => Promise<Readiness>,
  registry: Registry,
): Promise<Server> {
  // Concurrent requests share one query.
  let pending: Promise<Readiness> | null = null
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
    } else response.writeHead(url === '/healthz' ? 200 : 404).end()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
