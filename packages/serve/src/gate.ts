import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { Socket } from 'node:net'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { ServiceError, unavailable } from '@svc/operations'
import { getPath } from 'hono/utils/url'
import { createArrivingBodies, hasBody, isArriving } from './arrivingBodies.ts'
import type { ResolveClient } from './clientResolver.ts'
import type { Log } from './log.ts'
import type { RateLimit } from './rateLimit.ts'
import { refuseSocket } from './refuseSocket.ts'
import type { RequestContext } from './requestContext.ts'
import { respondError } from './respond.ts'

/** The route name of a path for logs and metrics, and its rate limit; null for probes. */
interface RouteInfo {
  route: string
  limit: RateLimit | null
}

/** Receives the measurements of the gate. */
interface GateMetrics {
  watchInFlight: (count: () => number) => void
  answered: (method: string, route: string, status: number, seconds: number) => void
}

export interface GateOptions {
  /** Answers an admitted request. It never throws: faults are already turned into responses. */
  answer: (request: Request, context: RequestContext) => Response | Promise<Response>
  findRoute: (path: string) => RouteInfo
  resolveClient: ResolveClient
  log: Log
  metrics: GateMetrics
  /** Aborted when the replica is about to stop: connections then close after their response. */
  stopping: AbortSignal
  /** Maximum number of requests in flight, 1,000 without; a stream counts until it starts, and a request from when its body is here. */
  maxInFlight?: number
  /** Maximum number of bodies of one client that arrive at once; 32 without. */
  maxArrivingPerClient?: number
}

/** What a server calls with each request. Tests pass no connection. */
export type Fetch = (
  request: Request,
  connection?: Partial<HttpBindings | Http2Bindings>,
) => Response | Promise<Response>

const maxUrl = 4_096

/** Admits requests: assigns an id, enforces the limits, and records one log line and one measurement for each. */
export function createGate(options: GateOptions): Fetch {
  const { answer, findRoute, resolveClient, log, metrics, stopping, maxInFlight = 1_000 } = options
  let inFlight = 0
  const bodies = createArrivingBodies({
    total: maxInFlight,
    perClient: options.maxArrivingPerClient,
    refuse: ({ socket }, { code, message }) => socket instanceof Socket && refuseSocket(socket, code, message),
  })
  metrics.watchInFlight(() => inFlight)

  const fetch: Fetch = (request, { incoming, outgoing } = {}) => {
    const began = performance.now()
    const { method, url, headers } = request
    const { route, limit } = findRoute(readPath(request))
    const id = readRequestId(headers.get('x-request-id'))
    const context: RequestContext = { id, client: '', limit, left: 0, incoming }

    const finish = (response: Response): Response => {
      // The rest of an unread body would be parsed as the next request, so the connection must close.
      const isUnread = incoming?.complete === false && hasBody(incoming.headers)
      if (outgoing && 'shouldKeepAlive' in outgoing && (isUnread || stopping.aborted)) outgoing.shouldKeepAlive = false
      record(context, method, route, response.status, began)
      return response
    }

    if (url.length > maxUrl) return finish(respondError(context, method, tooLong))
    const refusal = admit(context, incoming?.socket, () => headers.get('x-forwarded-for'))
    if (refusal) return finish(respondError(context, method, refusal))
    // Most requests have no body, or it is here.
    if (limit && incoming && isArriving(incoming)) return answerArriving(request, context, incoming, finish)
    const response = answer(request, context)
    if (!(response instanceof Promise)) return finish(response)
    inFlight++
    return response.then((settled) => {
      inFlight--
      return finish(settled)
    })
  }

  /** Answers a request whose body is on its way: it is in flight from when its body is here. */
  function answerArriving(
    request: Request,
    context: RequestContext,
    incoming: IncomingMessage | Http2ServerRequest,
    finish: (response: Response) => Response,
  ): Response | Promise<Response> {
    let state: 'arriving' | 'counted' | 'settled' = 'arriving'
    const body = bodies.take(context.client, incoming, () => {
      if (state !== 'arriving') return
      state = 'counted'
      inFlight++
    })
    if (body instanceof ServiceError) return finish(respondError(context, request.method, body))
    context.body = body
    const settle = (settled: Response) => {
      if (state === 'counted') inFlight--
      state = 'settled'
      return finish(settled)
    }
    const response = answer(request, context)
    return response instanceof Promise ? response.then(settle) : settle(response)
  }

  return fetch

  /** Returns the reason to reject a request, or null. */
  function admit(
    context: RequestContext,
    socket: Socket | undefined,
    forwardedFor: () => string | null,
  ): ServiceError | null {
    const { limit } = context
    if (!limit) return null
    context.client = resolveClient(socket, forwardedFor)
    context.left = limit.take(context.client)
    if (context.left < 0) return tooMany(limit)
    return inFlight >= maxInFlight ? overloaded : null
  }

  function record({ id, limit }: RequestContext, method: string, route: string, status: number, began: number): void {
    const ms = performance.now() - began
    metrics.answered(method, route, status, ms / 1000)
    if (limit) log.request(id, method, route, status, ms)
  }
}

const tooLong = new ServiceError('URL_TOO_LONG', `The URL is longer than ${maxUrl} characters.`)
const overloaded = unavailable('BUSY', 'Too many requests are in progress.')

const tooMany = (limit: RateLimit) =>
  new ServiceError('RATE_LIMITED', 'Too many requests from this address.', {
    retryAfter: limit.retryAfter(),
  })

/** The path without scheme, host and query. */
function readPath(request: Request): string {
  const { url } = request
  const start = url.indexOf('/', 8)
  const end = url.indexOf('?', start)
  const path = end < 0 ? url.slice(start) : url.slice(start, end)
  // Routes match the decoded path, so an escaped path must not bypass the rate limit.
  return path.includes('%') ? getPath(request) : path
}

/** The request id from a proxy if it is well-formed, else a new one. */
const readRequestId = (given: string | null): string =>
  given !== null && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
