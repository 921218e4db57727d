import { createMcpHonoApp } from '@modelcontextprotocol/hono'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { type Listening, listen } from '@svc/serve'
import type { Context } from 'hono'

/** The largest request: a terms document with room to spare. */
const maxBody = 256 * 1024

/**
 * Serves MCP at /mcp on this machine only. Requests with a Host or an Origin of elsewhere are refused: a web page must not
 * reach it through a name of its own.
 */
export function serveHttp(
  factory: () => McpServer,
  { port, onFault }: { port: number; onFault: (error: unknown) => void },
): Promise<Listening> {
  const handler = createMcpHandler(factory, { onerror: onFault, maxRequestBodySize: maxBody })
  const app = createMcpHonoApp({ host: '127.0.0.1', maxRequestBodySize: maxBody })
  app.all('/mcp', (c: Context) => handler.fetch(c.req.raw, { parsedBody: c.get('parsedBody') }))
  return listen({
    fetch: (request) => app.fetch(request),
    port,
    hostname: '127.0.0.1',
    maxConnections: 200,
    onFault,
  })
}
