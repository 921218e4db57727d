import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { getPath } from 'hono/utils/url'
import type { ClientOf } from './clientOf.ts'
import { awayError, HttpError } from './errors.ts'
import type { Facts } from './facts.ts'
import type { Log } from './log.ts'
import type { RateLimit } from './rateLimit.ts'
import { respondError } from './respond.ts'

/** How a path is called in logs and metrics, and which allowance its requests count against; null: a probe's. */
interface Place {
  route: string
  limit: RateLimit | null
}

/** Where the gate leaves its measurements. */
interface GateMetrics {
  watchInFlight: (count: () => number) => void
  answered: (method: string, route: string, status: number, seconds: number) => void
}

export interface GateOptions {
  /** Answers a request that was let in; every fault of ours has been turned into an answer there. */
  answer: (request: Request, facts: Facts) => Response | Promise<Response>
  placeOf: (path: string) => Place
  clientOf: ClientOf
  log: Log
  metrics: GateMetrics
  /** Aborted when the replica is about to stop: connections end with their answer. */
  stopping: AbortSignal
  /** So many requests are worked on at once; a stream counts until it begins. */
  maxInFlight: number
}

/** What a server calls with each request; without a connection in tests. */
export type Fetch = (request: Request, connection?: Partial<HttpBindings>) => Response | Promise<Response>

const maxUrl = 4_096

/** Lets requests in: names them, refuses too many, and leaves one line and one measurement of each. */
export function createGate({ answer, placeOf, clientOf, log, metrics, stopping, maxInFlight }: GateOptions): Fetch {
  let inFlight = 0
  metrics.watchInFlight(() => inFlight)

  return (request, { incoming, outgoing } = {}) => {
    const began = performance.now()
    const { method, url, headers } = request
    const { route, limit } = placeOf(pathOf(request))
    const facts: Facts = { id: idOf(headers.get('x-request-id')), client: '', limit, left: 0 }

    const finish = (response: Response): Response => {
      const ms = performance.now() - began
      // What is left of a body that nobody read would be taken for the next request.
      const isUnread = method !== 'GET' && method !== 'HEAD' && incoming?.complete === false
      if (outgoing && 'shouldKeepAlive' in outgoing && (isUnread || stopping.aborted)) outgoing.shouldKeepAlive = false
      metrics.answered(method, route, response.status, ms / 1000)
      if (limit) log.request(facts.id, method, route, response.status, ms)
      return response
    }

    if (url.length > maxUrl) return finish(respondError(facts, method, tooLong))
    if (limit) {
      facts.client = clientOf(incoming?.socket, () => headers.get('x-forwarded-for'))
      facts.left = limit.take(facts.client)
      if (facts.left < 0) return finish(respondError(facts, method, tooMany(limit)))
      if (inFlight >= maxInFlight) return finish(respondError(facts, method, overloaded))
    }
    const response = answer(request, facts)
    if (!(response instanceof Promise)) return finish(response)
    inFlight++
    return response.then((settled) => {
      inFlight--
      return finish(settled)
    })
  }
}

const tooLong = new HttpError(414, 'INVALID_REQUEST', `The URL is longer than ${maxUrl} characters.`)
const overloaded = awayError('BUSY', 'Too many requests are being worked on.')

const tooMany = (limit: RateLimit) =>
  new HttpError(429, 'RATE_LIMITED', 'Too many requests from this address.', {
    headers: { 'retry-after': String(limit.retryAfter()) },
  })

/** The path without scheme, host and query. */
function pathOf(request: Request): string {
  const { url } = request
  const start = url.indexOf('/', 8)
  const end = url.indexOf('?', start)
  const path = end < 0 ? url.slice(start) : url.slice(start, end)
  // Routes are found by the decoded path: an escape must not lead around the allowance.
  return path.includes('%') ? getPath(request) : path
}

/** A name that a proxy gave the request, when it is a plain word; else a new one. */
const idOf = (given: string | null): string => (given !== null && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID())
