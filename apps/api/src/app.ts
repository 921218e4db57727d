import type { MarketReader } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { events } from '@svc/reads'
import {
  bodyOf,
  createGate,
  createRateLimit,
  type Facts,
  type Fetch,
  type GateOptions,
  HttpError,
  open,
  parse,
  type QuickAnswer,
  queryOf,
  replyOf,
  respond,
  respondError,
  respondOnce,
  respondPreflight,
} from '@svc/serve'
import { type Context, Hono } from 'hono'
import { createDocuments } from './contract/documents.ts'
import { answerProbe, type ProbeDeps, probes } from './probes.ts'
import { type AnswersOptions, createAnswers } from './reads/answers.ts'
import { createReadHandler } from './reads/handler.ts'
import { createTail } from './reads/tail.ts'
import { type CallDeps, type CallRoute, methodOf } from './route.ts'
import { routes } from './routes/index.ts'
import { answerSite, type Site } from './site.ts'
import { createStream } from './stream.ts'

export interface AppDeps
  extends ProbeDeps,
    Omit<CallDeps, 'reader'>,
    Pick<AnswersOptions, 'reads' | 'watch'>,
    Pick<GateOptions, 'clientOf' | 'log' | 'stopping' | 'maxInFlight'> {
  direct: MarketReader
  /** The built web site; null where none is served. */
  site: Site | null
  /** Requests a minute that one client may make: reads, and calls. */
  perMinute: { reads: number; calls: number }
}

export interface App {
  fetch: Fetch
  /** The same without a server. */
  request: (input: string | Request, init?: RequestInit) => Promise<Response>
}

/** A body that is longer is not read. */
const maxBody = 64 * 1024

/** The service: every route of the table, and one place that turns errors into answers. */
export function createApp(deps: AppDeps): App {
  const app = new Hono<{ Bindings: Facts }>()
  const readHandler = createReadHandler(createAnswers({ ...deps, onAnswer: deps.metrics.read }))
  const callDeps: CallDeps = { ...deps, reader: deps.direct }
  const stream = createStream(createTail(deps), deps.stopping)
  const documents = createDocuments()
  const methods = new Map<string, 'get' | 'post'>([
    ...routes.map((route) => [route.path, methodOf(route)] as const),
    ...[...documents.map(({ path }) => path), ...probes].map((path) => [path, 'get'] as const),
  ])

  for (const route of routes) {
    if (route === events) app.get(route.path, answerEvents)
    else if (route.kind === 'read') app.get(route.path, (c) => readHandler.answer(c.req.raw, c.env, route))
    else app.on(route.method.toUpperCase(), route.path, (c) => answerCall(c, route))
  }
  for (const { path, type, text, policy } of documents) {
    const headers = {
      ...open,
      'cache-control': 'public, max-age=300',
      'content-type': type,
      ...(policy && { 'content-security-policy': policy }),
    }
    app.get(path, (c) => respond(c.env, 200, text, headers))
  }
  for (const path of probes) app.get(path, (c) => answerProbe(path, c.env, deps))

  app.notFound((c) => {
    const page = deps.site && answerSite(deps.site, c.req.raw, c.req.path, c.env)
    if (page) return page
    const method = methods.get(c.req.path)
    if (!method) throw new HttpError(404, 'NOT_FOUND', 'There is nothing at this path.', { hint: 'See /docs.' })
    if (method === 'get' && c.req.method === 'OPTIONS') return respondPreflight(c.env)
    const allow = method === 'get' ? 'GET, HEAD, OPTIONS' : 'POST'
    throw new HttpError(405, 'METHOD_NOT_ALLOWED', `${c.req.path} answers ${allow} only.`, { headers: { allow } })
  })
  app.onError((error, c) => respondFault(c.env, c.req.method, error))

  const fetch = createGate({
    ...deps,
    placeOf: placesOf(deps.perMinute, methods),
    quickAt: quickReads(),
    answer: (...given) => app.fetch(...given),
  })
  return {
    fetch,
    request: async (input, init) => {
      const url = typeof input === 'string' ? new URL(input, 'http://localhost') : input
      return fetch(new Request(url, init))
    },
  }

  function respondFault(facts: Facts, method: string, error: unknown): Response {
    if (error instanceof HttpError) return respondError(facts, method, error)
    deps.log.error({ id: facts.id, err: error }, 'fault')
    return respondOnce(facts, method, 500, { error: 'Internal error', code: 'INTERNAL' })
  }

  /** Reads are asked most, and need nothing that Hono knows. Of events there may be a stream. */
  function quickReads() {
    const quick = new Map<string, QuickAnswer>()
    for (const route of routes) {
      if (route.kind !== 'read' || route === events) continue
      const answer = readHandler.quickAt(route)
      quick.set(route.path, (url, headers, facts) => {
        const fail = (error: unknown) => replyOf(respondFault(facts, 'GET', error))
        try {
          const reply = answer(url, headers, facts)
          return reply instanceof Promise ? reply.catch(fail) : reply
        } catch (error) {
          return fail(error)
        }
      })
    }
    return (path: string) => quick.get(path)
  }

  function answerEvents(c: Context<{ Bindings: Facts }>): Response | Promise<Response> {
    if (!c.req.header('accept')?.includes('text/event-stream')) return readHandler.answer(c.req.raw, c.env, events)
    const query = parse(events.query, queryOf(new URL(c.req.url).searchParams))
    return stream(c, query as { market: Market; cursor?: string })
  }

  async function answerCall(c: Context<{ Bindings: Facts }>, route: CallRoute): Promise<Response> {
    const { method, input, strict = false, admit, call } = route
    const caller = { client: c.env.client, signal: c.req.raw.signal }
    admit?.(callDeps, caller)
    const given =
      method === 'get' ? queryOf(new URL(c.req.url).searchParams) : await bodyOf(c.req.raw, route.maxBody ?? maxBody)
    const body = await call(parse(input, given, strict), callDeps, caller)
    return respondOnce(c.env, c.req.method, 200, body as object)
  }
}

/** What logs and metrics call a path, and what it counts against: probes nothing, posts less than reads. */
function placesOf({ reads, calls }: AppDeps['perMinute'], methods: ReadonlyMap<string, 'get' | 'post'>) {
  const limits = { get: createRateLimit({ perMinute: reads }), post: createRateLimit({ perMinute: calls }) }
  const isProbe = (path: string) => (probes as readonly string[]).includes(path)
  const places = new Map(
    [...methods].map(([path, method]) => [path, { route: path, limit: isProbe(path) ? null : limits[method] }]),
  )
  const elsewhere = { route: 'other', limit: limits.get }
  return (path: string) => places.get(path) ?? elsewhere
}
