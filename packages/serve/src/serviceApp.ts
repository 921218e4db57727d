import { ServiceError } from '@svc/operations'
import { Hono } from 'hono'
import type { FairQueue } from './fairQueue.ts'
import { createGate, type Fetch, type GateOptions } from './gate.ts'
import { type HealthServerOptions, probes } from './healthServer.ts'
import type { CallHandler } from './implementCalls.ts'
import { type HttpContext, identifyCaller, type ReadInput } from './mountHttp.ts'
import { createContractAnswer } from './openapi/answerContract.ts'
import type { OpenapiDocument } from './openapi/types.ts'
import type { RateLimit } from './rateLimit.ts'
import type { RequestContext } from './requestContext.ts'
import { open, respond, respondError, respondOnce } from './respond.ts'
import type { SharedCounts } from './sharedCounts.ts'
import { createLogThrottle } from './throttleLog.ts'
import { version } from './version.ts'

/** What the operator gives every service: the options of its gate, its readiness and its metrics. */
export interface ServiceAppDeps extends Pick<GateOptions, 'resolveClient' | 'log' | 'stopping' | 'maxInFlight'> {
  /** Its answer is the body of `/readyz`. */
  health: () => Promise<{ ready: boolean }>
  metrics: GateOptions['metrics'] & Pick<HealthServerOptions, 'registry'>
  /** The line of calls that read the chain. */
  chainQueue: FairQueue
  /** What all replicas count for the rate limits. Without it, they hold for this replica alone. */
  shared?: { reads: SharedCounts; calls: SharedCounts }
}

export interface ServiceAppOptions {
  /** Every path with its methods. The first that matches names the route in logs and metrics. */
  paths: readonly { path: string; methods: readonly string[] }[]
  /** Adds the routes of the service. */
  mount: (app: Hono<{ Bindings: RequestContext }>) => void
  /** The rate limit of a path; undefined for an unknown one. */
  limitFor: (path: string | undefined) => RateLimit
  /** The headers that pages of other origins may send. */
  allowHeaders: string
  /** The contract of the service, which it serves as YAML. */
  contract: { path: string; build: () => OpenapiDocument }
  /** Turns an error into the one that clients see. */
  explainError?: (error: unknown) => unknown
}

/** Creates the app of a service with sessions: its own routes and their contract, probes, preflights, and one error handler, behind a gate. */
export function createServiceApp(deps: ServiceAppDeps, options: ServiceAppOptions): Fetch {
  const { mount, limitFor, allowHeaders, explainError = (error) => error } = options
  const app = new Hono<{ Bindings: RequestContext }>()
  const throttle = createLogThrottle(60_000, Date.now)
  const known = [...options.paths, { path: options.contract.path, methods: ['GET'] }].map(({ path, methods }) => ({
    path,
    methods,
    form: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }))

  mount(app)
  const answerContract = createContractAnswer(options.contract.build, 'public, max-age=300')
  app.get(options.contract.path, (c) => answerContract(c.env))
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
    if (c.req.method === 'OPTIONS') return respondSessionPreflight(c, methods, allowHeaders)
    const allow = [...methods, 'OPTIONS'].join(', ')
    throw new ServiceError('METHOD_NOT_ALLOWED', `${c.req.path} answers ${allow} only.`, { headers: { allow } })
  })
  app.onError((given, c) => {
    const error = explainError(given)
    if (error instanceof ServiceError) {
      // A full disk or a lost database fails every request: one line each minute says it.
      const times = error.cause ? throttle.shouldLog(error.code) : null
      if (times !== null) deps.log.warn({ id: c.env.id, times, err: error.cause }, error.code)
      return respondError(c.env, c.req.method, error, open)
    }
    deps.log.error({ id: c.env.id, err: error }, 'fault')
    return respondOnce(c.env, c.req.method, 500, { error: 'Internal error', code: 'INTERNAL' }, open)
  })

  return createGate({
    ...deps,
    findRoute: (path) => {
      if (probes.some((each) => each === path)) return { route: path, limit: null }
      const found = known.find(({ form }) => form.test(path))?.path
      return { route: found ?? 'other', limit: limitFor(found) }
    },
    answer: (...given) => app.fetch(...given),
  })
}

/** Creates the function that answers a call of any origin, for `mountHttp`. What reads the chain waits for its turn. */
export const createCallAnswer =
  <Deps extends Pick<ServiceAppDeps, 'chainQueue'>>(deps: Deps) =>
  async ({ operation, handle }: CallHandler<Deps>, c: HttpContext, readInput: ReadInput): Promise<Response> => {
    const { caller, headers } = identifyCaller(c)
    const input = await readInput()
    const run = () => handle(input, deps, caller)
    const { client, signal } = caller
    const { chainCost: cost } = operation
    const body = await (cost ? deps.chainQueue({ client, cost, run, signal }) : run())
    return respondOnce(c.env, c.req.method, 200, body, { ...open, ...headers })
  }

/** Any origin may call: a session is a header that only its own client knows, never a cookie. */
function respondSessionPreflight(c: HttpContext, methods: readonly string[], allowHeaders: string): Response {
  return respond(c.env, 204, null, {
    ...open,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': allowHeaders,
    'access-control-max-age': '86400',
  })
}
