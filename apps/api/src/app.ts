import type { EventEntry, MarketReader } from '@svc/chain'
import {
  apiEndpoints,
  apiRoutes,
  createQueryParser,
  operations,
  parseInput,
  type Route,
  ServiceError,
  streamLimits,
} from '@svc/operations'
import type { Market } from '@svc/protocol'
import { type ReadHandler, reads } from '@svc/reads'
import {
  type CallHandler,
  type ClientSlotsOptions,
  createClientSlots,
  createGate,
  createRateLimit,
  createThrottledWarning,
  type Fetch,
  type GateOptions,
  type HttpContext,
  identifyCaller,
  mountHttp,
  open,
  probes,
  type ReadInput,
  type RequestContext,
  respond,
  respondError,
  respondOnce,
  respondPreflight,
  type SharedCounts,
} from '@svc/serve'
import { Hono } from 'hono'
import type { CallDeps } from './calls/deps.ts'
import * as calls from './calls/index.ts'
import { createDocuments } from './contract/documents.ts'
import { createFeeds, feedPaths } from './feeds.ts'
import type { ForwardedName } from './health.ts'
import { answerProbe, type ProbeDeps } from './probes.ts'
import { type AnswersOptions, createAnswerCache } from './reads/answers.ts'
import { createFanOut } from './reads/fanOut.ts'
import { createReadResponder } from './reads/handler.ts'
import { createTail } from './reads/tail.ts'
import { createNotifyForward, createStoreForward, notifyPath, storePath } from './serviceForward.ts'
import { createSite, type Site } from './site.ts'
import { createSiteReader } from './siteReader.ts'
import { createStream } from './stream.ts'
import { createStreamHub } from './streamHub.ts'

export interface AppDeps
  extends ProbeDeps,
    Omit<CallDeps, 'reader' | 'answers'>,
    Pick<AnswersOptions, 'reads' | 'watch' | 'chainQueue'>,
    Pick<GateOptions, 'resolveClient' | 'log' | 'stopping' | 'maxInFlight'> {
  direct: MarketReader
  /** Sends requests to the store and the notifier. */
  forward?: Readonly<Record<ForwardedName, typeof fetch>>
  /** The built web site; null if none is served. */
  site: Site | null
  /** Rate limits per client and minute, for reads and for calls. */
  perMinute: { reads: number; calls: number }
  /** What all replicas count for these limits. Without it, they hold for this replica alone. */
  shared?: { reads: SharedCounts; calls: SharedCounts }
  /** How many streams may be open; `streamLimits` if not given. */
  streams?: ClientSlotsOptions
  /** Where nginx takes messages of streams; nowhere if not given. */
  streamHubs?: readonly string[]
  /** The longest silence of a stream; `streamLimits` if not given. */
  heartbeatMs?: number
}

export interface App {
  fetch: Fetch
  /** The same app without a server. */
  request: (input: string | Request, init?: RequestInit) => Promise<Response>
}

type Handler = ReadHandler | CallHandler<CallDeps>

/** The service: every route of the table, and one error handler. */
export function createApiApp(deps: AppDeps): App {
  const app = new Hono<{ Bindings: RequestContext }>()
  const answers = createAnswerCache({ ...deps, onAnswer: deps.metrics.read })
  const responder = createReadResponder(answers)
  const callDeps: CallDeps = { ...deps, reader: deps.direct, answers }
  const slots = createClientSlots(deps.streams ?? { total: streamLimits.open, perClient: streamLimits.openPerClient })
  const { heartbeatMs: quietMs = streamLimits.heartbeatSeconds * 1000 } = deps
  const subscribe = createFanOut({ tail: createTail(deps), quietMs })
  const warn = createThrottledWarning(deps.log)
  const hubs = new Map(
    deps.streamHubs?.map((url) => {
      const onFault = (error: Error) => warn(error, `no streams through ${url}`)
      return [url, createStreamHub({ url, subscribe, listNewest, onFault, stopping: deps.stopping })]
    }),
  )
  const stream = createStream({ subscribe, slots, stopping: deps.stopping, hubs })
  const documents = createDocuments()
  const answerSite = deps.site && createSite({ site: deps.site, reader: createSiteReader(deps), siteUrl: deps.siteUrl })
  const methods = new Map<string, Route['method']>([
    ...apiRoutes.map(({ path, method }) => [path, method] as const),
    ...[...documents.map(({ path }) => path), ...feedPaths, ...probes].map((path) => [path, 'get'] as const),
  ])

  mountHttp<Handler, typeof apiEndpoints>(app, apiEndpoints, { ...reads, ...calls }, answer)
  for (const { path, type, text, policy } of documents) {
    const headers = {
      ...open,
      'cache-control': 'public, max-age=300',
      'content-type': type,
      ...(policy && { 'content-security-policy': policy }),
    }
    app.get(path, (c) => respond(c.env, 200, text, headers))
  }
  const answerFeed = createFeeds({ responder, siteUrl: deps.siteUrl })
  for (const path of feedPaths) app.get(path, (c) => answerFeed(c.req.raw, c.env))
  if (deps.store) {
    const forward = createStoreForward(deps.store, deps.forward?.store)
    app.all(`${storePath}/v1/*`, (c) => forward(c.req.raw, c.env))
  }
  if (deps.notifierUrl !== null) {
    const forward = createNotifyForward(deps.notifierUrl, deps.forward?.notifier)
    app.all(`${notifyPath}/v1/*`, (c) => forward(c.req.raw, c.env))
  }
  for (const path of probes) app.get(path, (c) => answerProbe(path, c.env, deps))

  app.notFound(async (c) => {
    const page = await answerSite?.(c.req.raw, c.req.path, c.env)
    if (page) return page
    const method = methods.get(c.req.path)
    if (!method) throw new ServiceError('NOT_FOUND', 'There is nothing at this path.', { hint: 'See /docs.' })
    if (method === 'get' && c.req.method === 'OPTIONS') return respondPreflight(c.env)
    const allow = method === 'get' ? 'GET, HEAD, OPTIONS' : 'POST'
    throw new ServiceError('METHOD_NOT_ALLOWED', `${c.req.path} answers ${allow} only.`, { headers: { allow } })
  })
  app.onError((error, c) => respondFault(c.env, c.req.method, error))

  const fetch = createGate({
    ...deps,
    findRoute: rateLimitFor(deps, methods),
    answer: (...given) => app.fetch(...given),
  })
  return {
    fetch,
    request: async (input, init) => {
      const url = typeof input === 'string' ? new URL(input, 'http://localhost') : input
      return fetch(new Request(url, init))
    },
  }

  function respondFault(context: RequestContext, method: string, error: unknown): Response {
    if (error instanceof ServiceError) return respondError(context, method, error)
    deps.log.error({ id: context.id, err: error }, 'fault')
    return respondOnce(context, method, 500, { error: 'Internal error', code: 'INTERNAL' })
  }

  function answer(handler: Handler, c: HttpContext, readInput: ReadInput): Response | Promise<Response> {
    if ('handle' in handler) return answerCall(handler, c, readInput)
    if (handler === reads.listEvents && c.req.header('accept')?.includes('text/event-stream')) return answerStream(c)
    return responder.respond(c.req.raw, c.env, handler)
  }

  async function listNewest(market: Market): Promise<readonly EventEntry[]> {
    return (await deps.reads.read(market, (reader) => reader.listEvents(market, { limit: 100 }))).events
  }

  async function answerStream(c: HttpContext): Promise<Response> {
    const given = parseEventQuery(new URL(c.req.url).searchParams)
    if ('minBlock' in given || 'path' in given) {
      throw new ServiceError('INVALID_REQUEST', 'minBlock and path apply to a page of events, not to a stream.')
    }
    return stream(c, parseInput(operations.listEvents, given))
  }

  async function answerCall(
    { operation, admit, handle }: CallHandler<CallDeps>,
    c: HttpContext,
    readInput: ReadInput,
  ): Promise<Response> {
    const { caller, headers } = identifyCaller(c)
    admit(callDeps, caller)
    const input = await readInput()
    const run = () => handle(input, callDeps, caller)
    const { client, signal } = caller
    const body = await (operation.chainCost
      ? deps.chainQueue({ client, cost: operation.chainCost, run, signal })
      : run())
    return respondOnce(c.env, c.req.method, 200, body, headers)
  }
}

const parseEventQuery = createQueryParser(operations.listEvents)

/** The route name for logs and metrics, and its rate limit: none for probes, a lower one for posts than for reads. */
function rateLimitFor(
  { perMinute, shared }: Pick<AppDeps, 'perMinute' | 'shared'>,
  methods: ReadonlyMap<string, Route['method']>,
) {
  const create = (kind: 'reads' | 'calls') =>
    createRateLimit({ perMinute: perMinute[kind], ...(shared && { shared: shared[kind] }) })
  const limits = { get: create('reads'), post: create('calls') }
  const isProbe = (path: string) => probes.some((each) => each === path)
  const known = new Map(
    [...methods].map(([path, method]) => [
      path,
      { route: path, limit: isProbe(path) ? null : method === 'get' ? limits.get : limits.post },
    ]),
  )
  const elsewhere = { route: 'other', limit: limits.get }
  // The store and the notifier have limits of their own, for the same client.
  const forwarded = [storePath, notifyPath].map((route) => ({ route, limit: limits.get }))
  return (path: string) => known.get(path) ?? forwarded.find(({ route }) => path.startsWith(`${route}/`)) ?? elsewhere
}
