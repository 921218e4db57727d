import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Registry } from 'prom-client'
import type { Readiness } from './health.ts'

/** Serves `/healthz`, `/readyz` and `/metrics`: to whoever reaches the address, so it is an inner one. */
export async function startHealthServer(
  port: number,
  host: string,
  readiness: () => Promise<Readiness>,
  registry: Registry,
): Promise<Server> {
  // However many ask at a time, the database is asked once.
  let asked: Promise<Readiness> | null = null
  const ready = () => {
    asked ??= readiness().finally(() => {
      asked = null
    })
    return asked
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
