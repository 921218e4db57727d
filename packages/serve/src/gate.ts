import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { getPath } from 'hono/utils/url'
import type { ClientOf } from './clientOf.ts'
import { awayError, HttpError } from './errors.ts'
import type { Facts } from './facts.ts'
import type { Log } from './log.ts'
import { hasBody, isPlain, type QuickAnswer, type Reply, replyOf, send } from './quick.ts'
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
  /** Answers GETs for a path that need nothing but their URL and headers; undefined for all others. */
  quickAt?: (path: string) => QuickAnswer | undefined
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

/** The same, and a way around `Request` and `Response` for what is asked most: false where a request must go the long way. */
export interface Gate extends Fetch {
  quick: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean
}

const maxUrl = 4_096

/** With scheme and host before it, one of these is no longer than the above. */
const maxPlainUrl = 2_048

/** Lets requests in: names them, refuses too many, and leaves one line and one measurement of each. */
export function createGate(options: GateOptions): Gate {
  const { answer, placeOf, quickAt, clientOf, log, metrics, stopping, maxInFlight } = options
  let inFlight = 0
  metrics.watchInFlight(() => inFlight)

  const fetch: Fetch = (request, { incoming, outgoing } = {}) => {
    const began = performance.now()
    const { method, url, headers } = request
    const { route, limit } = placeOf(pathOf(request))
    const facts: Facts = { id: idOf(headers.get('x-request-id')), client: '', limit, left: 0 }

    const finish = (response: Response): Response => {
      // What is left of a body that nobody read would be taken for the next request, or be answered a second time.
      const isUnread = incoming?.complete === false && hasBody(incoming.headers)
      if (outgoing && 'shouldKeepAlive' in outgoing && (isUnread || stopping.aborted)) outgoing.shouldKeepAlive = false
      note(facts, method, route, response.status, began)
      return response
    }

    if (url.length > maxUrl) return finish(respondError(facts, method, tooLong))
    const refusal = admit(facts, incoming?.socket, () => headers.get('x-forwarded-for'))
    if (refusal) return finish(respondError(facts, method, refusal))
    const response = answer(request, facts)
    if (!(response instanceof Promise)) return finish(response)
    inFlight++
    return response.then((settled) => {
      inFlight--
      return finish(settled)
    })
  }

  const quick: Gate['quick'] = (incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    if (!quickAt || method !== 'GET' || url.length > maxPlainUrl || !isPlain(url, headers)) return false
    const end = url.indexOf('?')
    const path = end < 0 ? url : url.slice(0, end)
    const answerAt = quickAt(path)
    if (!answerAt) return false
    const began = performance.now()
    const { route, limit } = placeOf(path)
    const facts: Facts = { id: idOf(one(headers['x-request-id']) ?? null), client: '', limit, left: 0 }

    const finish = (reply: Reply): void => {
      if (stopping.aborted) outgoing.shouldKeepAlive = false
      note(facts, method, route, reply.status, began)
      send(outgoing, reply, facts.id)
    }

    const refusal = admit(facts, incoming.socket, () => one(headers['x-forwarded-for']) ?? null)
    const reply = refusal ? replyOf(respondError(facts, method, refusal)) : answerAt(url, headers, facts)
    if (!(reply instanceof Promise)) {
      finish(reply)
      return true
    }
    inFlight++
    void reply.then((settled) => {
      inFlight--
      finish(settled)
    })
    return true
  }
  return Object.assign(fetch, { quick })

  /** Why a request is not worked on. */
  function admit(facts: Facts, socket: Socket | undefined, forwardedFor: () => string | null): HttpError | null {
    const { limit } = facts
    if (!limit) return null
    facts.client = clientOf(socket, forwardedFor)
    facts.left = limit.take(facts.client)
    if (facts.left < 0) return tooMany(limit)
    return inFlight >= maxInFlight ? overloaded : null
  }

  function note({ id, limit }: Facts, method: string, route: string, status: number, began: number): void {
    const ms = performance.now() - began
    metrics.answered(method, route, status, ms / 1000)
    if (limit) log.request(id, method, route, status, ms)
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

/** A header that came once, or as one. */
const one = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ')
