import { ServiceError, storeByteRoutes, storeEndpoints, storeRoutes } from '@svc/operations'
import {
  type CallHandler,
  createGate,
  createRateLimit,
  type Fetch,
  type GateOptions,
  type HttpContext,
  identifyCaller,
  mountHttp,
  open,
  type ReadInput,
  type RequestContext,
  respond,
  respondError,
  respondOnce,
  version,
} from '@svc/serve'
import { Hono } from 'hono'
import { explainObjectError, mountByteRoutes } from './byteRoutes.ts'
import * as calls from './calls/index.ts'
import type { StoreDeps } from './deps.ts'
import type { StoreReadiness } from './health.ts'
import type { StoreMetrics } from './metrics.ts'

export interface StoreAppDeps extends StoreDeps, Pick<GateOptions, 'clientOf' | 'log' | 'stopping' | 'maxInFlight'> {
  health: () => Promise<StoreReadiness>
  metrics: StoreMetrics
  /** Rate limits per client and minute, for reads and for everything else. */
  perMinute: { reads: number; calls: number }
}

/** Requested by the operator's machines: neither rate limited nor logged. A proxy hides them from the public. */
const probes = ['/healthz', '/readyz', '/metrics']

/** Creates the store's app: calls, bytes, probes, and one error handler. */
export function createStoreApp(deps: StoreAppDeps): Fetch {
  const app = new Hono<{ Bindings: RequestContext }>()
  const known = listPaths()

  mountHttp<CallHandler<StoreDeps>, typeof storeEndpoints>(app, storeEndpoints, calls, answerCall)
  mountByteRoutes(app, deps)
  app.get('/healthz', (c) => respondOnce(c.env, 'GET', 200, { alive: true, version }))
  app.get('/readyz', async (c) => {
    const readiness = await deps.health()
    return respondOnce(c.env, 'GET', readiness.ready ? 200 : 503, readiness)
  })
  app.get('/metrics', async (c) => {
    const { registry } = deps.metrics
    return respond(c.env, 200, await registry.metrics(), { 'content-type': registry.contentType })
  })
  app.notFound((c) => {
    const methods = known.filter(({ form }) => form.test(c.req.path)).flatMap((each) => each.methods)
    if (methods.length === 0) throw new ServiceError('NOT_FOUND', 'There is nothing at this path.')
    if (c.req.method === 'OPTIONS') return respondPreflight(c, methods)
    const allow = [...methods, 'OPTIONS'].join(', ')
    throw new ServiceError('METHOD_NOT_ALLOWED', `${c.req.path} answers ${allow} only.`, { headers: { allow } })
  })
  app.onError((given, c) => {
    const error = explainObjectError(given)
    if (error instanceof ServiceError) {
      if (error.cause) deps.log.warn({ id: c.env.id, err: error.cause }, error.code)
      return respondError(c.env, c.req.method, error, open)
    }
    deps.log.error({ id: c.env.id, err: error }, 'fault')
    return respondOnce(c.env, c.req.method, 500, { error: 'Internal error', code: 'INTERNAL' }, open)
  })

  const limits = {
    reads: createRateLimit({ perMinute: deps.perMinute.reads }),
    calls: createRateLimit({ perMinute: deps.perMinute.calls }),
  }
  return createGate({
    ...deps,
    placeOf: (path) => {
      if (probes.includes(path)) return { route: path, limit: null }
      const found = known.find(({ form }) => form.test(path))
      const isBytes = found?.path === storeByteRoutes.part
      return { route: found?.path ?? 'other', limit: isBytes ? limits.reads : limits.calls }
    },
    answer: (...given) => app.fetch(...given),
  })

  async function answerCall(
    { handle }: CallHandler<StoreDeps>,
    c: HttpContext,
    readInput: ReadInput,
  ): Promise<Response> {
    const { caller, headers } = identifyCaller(c)
    const body = await handle(await readInput(), deps, caller)
    return respondOnce(c.env, c.req.method, 200, body, { ...open, ...headers })
  }
}

/** Any origin may call: a session is a header that only its own client knows, never a cookie. */
function respondPreflight(c: HttpContext, methods: readonly string[]): Response {
  return respond(c.env, 204, null, {
    ...open,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, Range, X-Request-Id',
    'access-control-max-age': '86400',
  })
}

/** Every path with its methods, as routes match it. */
function listPaths() {
  const bytes = Object.values(storeByteRoutes).map((path) => ({ path, methods: ['GET', 'HEAD', 'PUT'] }))
  const json = storeRoutes.map(({ path, method }) => ({ path, methods: [method.toUpperCase()] }))
  // In this order: the path that asks for missing parts also has the form of a part.
  return [...json, ...bytes].map(({ path, methods }) => ({
    path,
    methods,
    form: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }))
}
