import { createMcpHonoApp } from '@modelcontextprotocol/hono'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { type Listening, listen } from '@svc/serve'
import type { Context } from 'hono'

/** The maximum size of a request. A terms document is much smaller. */
const maxBody = 256 * 1024

/**
 * Serves MCP at /mcp on the loopback interface. Requests with a foreign Host or Origin are rejected, which protects against DNS
 * rebinding by web pages.
 */
export function serveHttp(
  factory: () => McpServer,
  { port, onError }: { port: number; onError: (error: unknown) => void },
): Promise<Listening> {
  const handler = createMcpHandler(factory, { onerror: onError, maxRequestBodySize: maxBody })
  const app = createMcpHonoApp({ host: '127.0.0.1', maxRequestBodySize: maxBody })
  app.all('/mcp', (c: Context) => handler.fetch(c.req.raw, { parsedBody: c.get('parsedBody') }))
  return listen({
    fetch: (request) => app.fetch(request),
    port,
    hostname: '127.0.0.1',
    maxConnections: 200,
    onFault: onError,
  })
}
