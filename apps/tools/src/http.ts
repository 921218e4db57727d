import { createMcpHonoApp } from '@modelcontextprotocol/hono'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { type Listening, listen } from '@svc/serve'
import type { Context } from 'hono'
import { listHostDocuments } from './hostDocuments.ts'

/** The maximum size of a request. A terms document is much smaller. */
const maxBody = 256 * 1024

interface HttpOptions {
  port: number
  onError: (error: unknown) => void
  /** The host names behind a reverse proxy for which it answers everyone; by default it answers this machine alone. */
  hosts?: string[] | undefined
}

/**
 * Serves MCP at /mcp on the loopback interface, without sessions: each request is answered by a server of its own. Requests with a
 * foreign Host or Origin are rejected, which protects against DNS rebinding by web pages. For everyone, it also serves the documents
 * by which agents find it; they name the first host.
 */
export function serveHttp(factory: () => McpServer, { port, onError, hosts }: HttpOptions): Promise<Listening> {
  const handler = createMcpHandler(factory, { onerror: onError, maxRequestBodySize: maxBody })
  const app = createMcpHonoApp({
    host: '127.0.0.1',
    maxRequestBodySize: maxBody,
    ...(hosts && { allowedHosts: hosts, allowedOrigins: hosts }),
  })
  // Who asks here knows only the host name, and may be a web page.
  for (const { path, type, text } of hosts?.[0] ? listHostDocuments(hosts[0]) : []) {
    const headers = {
      'content-type': type,
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
    }
    app.get(path, (c) => c.body(text, 200, headers))
  }
  app.all('/mcp', (c: Context) => handler.fetch(c.req.raw, { parsedBody: c.get('parsedBody') }))
  return listen({
    fetch: (request) => app.fetch(request),
    port,
    hostname: '127.0.0.1',
    maxConnections: 200,
    onFault: onError,
  })
}
