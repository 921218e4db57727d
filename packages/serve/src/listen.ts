import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type ApiErrorCode, statusOf } from '@svc/operations'
import type { Fetch } from './gate.ts'
import { type AnsweringSocket, errorBody, refuseSocket } from './refuseSocket.ts'

export interface ListenOptions {
  fetch: Fetch
  port: number
  hostname: string
  /** 10,000 without. */
  maxConnections?: number
  /** How long a request may take to arrive. Uploads over slow lines need more than the usual 20 seconds. */
  requestMs?: number
  /** Called with errors that happen outside our handlers. */
  onFault: (error: unknown) => void
}

export interface Listening {
  port: number
  /** Stops accepting connections. Resolves when every started response is sent, or after the timeout. */
  close: (withinMs: number) => Promise<void>
}

/** Starts a server with a bound on every resource that a client can hold. */
export async function listen({
  fetch,
  port,
  hostname,
  maxConnections = 10_000,
  requestMs = 20_000,
  onFault,
}: ListenOptions): Promise<Listening> {
  const listener = getRequestListener((request, connection) => fetch(request, connection), {
    hostname,
    // An invalid request line or Host never becomes a `Request`.
    errorHandler: (error) => {
      const isUnreadable = error instanceof Error && error.name === 'RequestError'
      if (!isUnreadable) onFault(error)
      const body = isUnreadable
        ? errorBody('INVALID_REQUEST', 'The URL or the Host header cannot be read.')
        : errorBody('INTERNAL', 'Internal error')
      return Response.json(body, { status: statusOf(body.code) })
    },
  })
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      // Node would reject it without a body; see below.
      requireHostHeader: false,
      headersTimeout: 10_000,
      requestTimeout: requestMs,
      connectionsCheckingInterval: 2_000,
      // Longer than a proxy's idle timeout, so that the proxy closes the connection and never loses a request.
      keepAliveTimeout: 75_000,
      // A request without a body needs no stream for one.
      optimizeEmptyRequests: true,
    },
    (request, response) => {
      if (request.headers.host !== undefined || request.httpVersion === '1.0') return void listener(request, response)
      refuse(response, 'INVALID_REQUEST', 'The Host header is missing.')
    },
  )
  server.maxConnections = maxConnections
  server.setTimeout(120_000)
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', (_, response: ServerResponse) =>
    refuse(response, 'EXPECTATION_FAILED', 'The only supported Expect header is 100-continue.'),
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

/** Rejects requests that node would reject without a body. */
function refuse(response: ServerResponse, code: ApiErrorCode, message: string): void {
  response.writeHead(statusOf(code), { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(errorBody(code, message)))
}

/** Answers requests that are not HTTP, too slow or too large, if the socket is still writable. */
function refuseUnreadable(error: Error & { code?: string }, socket: AnsweringSocket): void {
  // If a response has already started, the client would take a second one for the answer to its next request.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const [code, message] = refusals[error.code ?? ''] ?? ['INVALID_REQUEST', 'The request is not HTTP.']
  refuseSocket(socket, code, message)
}

const refusals: Readonly<Record<string, readonly [ApiErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMED_OUT', 'The request did not arrive in time.'],
}
