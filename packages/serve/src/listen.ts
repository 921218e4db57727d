import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { ErrorJson } from '@svc/protocol/http'
import type { Fetch, Gate } from './gate.ts'

export interface ListenOptions {
  /** A gate also answers requests that need not become one; others are answered the usual way alone. */
  fetch: Fetch | Gate
  port: number
  hostname: string
  maxConnections: number
  /** Hears what went wrong before or after our own code. */
  onFault: (error: unknown) => void
}

export interface Listening {
  port: number
  /** Accepts nobody any more, and ends when every answer that was begun is sent, or after so long. */
  close: (withinMs: number) => Promise<void>
}

/** A server with a bound on everything that a client can hold on to. */
export async function listen({ fetch, port, hostname, maxConnections, onFault }: ListenOptions): Promise<Listening> {
  const quick = 'quick' in fetch ? fetch.quick : () => false
  const listener = getRequestListener((request, connection) => fetch(request, connection as never), {
    hostname,
    // A request line or Host that is no URL never becomes a request.
    errorHandler: (error) => {
      if ((error as Error).name !== 'RequestError') onFault(error)
      return (error as Error).name === 'RequestError'
        ? Response.json(unreadable('The URL or the Host header cannot be read.'), { status: 400 })
        : Response.json({ error: 'Internal error', code: 'INTERNAL' } satisfies ErrorJson, { status: 500 })
    },
  })
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      // Node would refuse it without a body; see below.
      requireHostHeader: false,
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      connectionsCheckingInterval: 2_000,
      // Longer than a proxy keeps an idle connection: the one who asks ends it, never in the middle of asking.
      keepAliveTimeout: 75_000,
    },
    (request, response) => {
      if (quick(request, response)) return
      if (request.headers.host !== undefined || request.httpVersion === '1.0') return void listener(request, response)
      refuse(response, 400, 'A Host header is needed.')
    },
  )
  server.maxConnections = maxConnections
  server.setTimeout(120_000)
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', (_, response: ServerResponse) =>
    refuse(response, 417, 'Nothing but 100-continue can be expected.'),
  )
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, hostname, done)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close(withinMs) {
      const closed = new Promise((done) => server.close(done))
      const timeout = setTimeout(() => server.closeAllConnections(), withinMs)
      await closed
      clearTimeout(timeout)
    },
  }
}

/** Refuses what node would refuse without a body. */
function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(unreadable(words)))
}

/** A connection as node's own handler of such errors looks at it. */
type Answering = Socket & { _httpMessage?: ServerResponse | null }

const unreadable = (error: string): ErrorJson => ({ error, code: 'INVALID_REQUEST' })

/** What is no HTTP, or comes too slowly or too large, is told so where it can still hear it. */
function refuseUnreadable(error: Error & { code?: string }, socket: Answering): void {
  // Node reads a body while its answer may be on the way: a second one behind it would be taken for the next.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const [status, words] = refusals[error.code ?? ''] ?? ['400 Bad Request', 'The request is no HTTP.']
  const body = JSON.stringify(unreadable(words))
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const refusals: Readonly<Record<string, readonly [status: string, words: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}
