import { notifyEndpoints, notifyRoutes, ServiceError } from '@svc/operations'
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
import * as calls from './calls/index.ts'
import type { NotifierDeps } from './deps.ts'
import type { NotifierReadiness } from './health.ts'
import type { NotifierMetrics } from './metrics.ts'
import { unsubscribePage, unsubscribePageHeaders } from './unsubscribePage.ts'

export interface NotifierAppDeps
  extends NotifierDeps,
    Pick<GateOptions, 'clientOf' | 'log' | 'stopping' | 'maxInFlight'> {
  health: () => Promise<NotifierReadiness>
  metrics: NotifierMetrics
  /** Requests per client and minute. */
  perMinute: number
}

/** Requested by the operator's machines: neither rate limited nor logged. A proxy hides them from the public. */
const probes = ['/healthz', '/readyz', '/metrics']

/** Creates the notifier's app: calls, probes, and one error handler. */
export function createNotifierApp(deps: NotifierAppDeps): Fetch {
  const app = new Hono<{ Bindings: RequestContext }>()
  const known = listPaths()

  mountHttp<CallHandler<NotifierDeps>, typeof notifyEndpoints>(app, notifyEndpoints, calls, answerCall)
  app.get('/notify/v1/unsubscribe/:token', (c) => respond(c.env, 200, unsubscribePage, unsubscribePageHeaders))
  app.get('/notify/v1/calendar/:token', async (c) => {
    const calendar = await deps.calendars.read(c.req.param('token').slice(0, 100))
    if (calendar === null) throw new ServiceError('NOT_FOUND', 'There is no calendar at this address.')
    return respond(c.env, 200, calendar, {
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, max-age=300',
    })
  })
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
    const methods = known.filter(({ form }) => form.test(c.req.path)).map(({ method }) => method)
    if (methods.length === 0) throw new ServiceError('NOT_FOUND', 'There is nothing at this path.')
    if (c.req.method === 'OPTIONS') return respondPreflight(c, methods)
    const allow = [...methods, 'OPTIONS'].join(', ')
    throw new ServiceError('METHOD_NOT_ALLOWED', `${c.req.path} answers ${allow} only.`, { headers: { allow } })
  })
  app.onError((error, c) => {
    if (error instanceof ServiceError) {
      if (error.cause) deps.log.warn({ id: c.env.id, err: error.cause }, error.code)
      return respondError(c.env, c.req.method, error, open)
    }
    deps.log.error({ id: c.env.id, err: error }, 'fault')
    return respondOnce(c.env, c.req.method, 500, { error: 'Internal error', code: 'INTERNAL' }, open)
  })

  const limit = createRateLimit({ perMinute: deps.perMinute })
  return createGate({
    ...deps,
    placeOf: (path) => {
      if (probes.includes(path)) return { route: path, limit: null }
      return { route: known.find(({ form }) => form.test(path))?.path ?? 'other', limit }
    },
    answer: (...given) => app.fetch(...given),
  })

  async function answerCall(
    { handle }: CallHandler<NotifierDeps>,
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
    'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id',
    'access-control-max-age': '86400',
  })
}

/** Every path with its method, as routes match it. */
function listPaths() {
  return notifyRoutes.map(({ path, method }) => ({
    path,
    method: method.toUpperCase(),
    form: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }))
}
