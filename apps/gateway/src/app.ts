import {
  createGate,
  createRateLimit,
  type Facts,
  type Fetch,
  type GateOptions,
  HttpError,
  respond,
  respondError,
  respondOnce,
  respondPreflight,
} from '@svc/serve'
import { Hono } from 'hono'
import type { Asset } from './assets.ts'
import type { Call, CallDeps, Ctx } from './call.ts'
import { createPages, type Page } from './pages/createPages.ts'
import { createReadHandler } from './readHandler.ts'
import { createAnswers } from './reads/answers.ts'
import type { ReadDeps } from './route.ts'
import { claim } from './routes/claim.ts'
import { readRoutes } from './routes/index.ts'
import { paymentReceipt } from './routes/paymentReceipt.ts'
import { requestCalls } from './routes/requests.ts'
import { serviceCalls } from './routes/service.ts'
import { type Doors, refuseStrangers } from './strangers.ts'

export interface AppDeps
  extends ReadDeps,
    CallDeps,
    Pick<GateOptions, 'clientOf' | 'log' | 'stopping' | 'maxInFlight'> {
  doors: Doors
  /** What pages load, by path. */
  assets: ReadonlyMap<string, Asset>
  /** Requests a minute that one client may make: reads, and calls. */
  perMinute: { reads: number; calls: number }
}

const calls: readonly Call[] = [paymentReceipt, claim, ...requestCalls, ...serviceCalls]

/** Nothing from elsewhere, nothing inline, and nobody frames it. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The gateway: reads, calls, pages, and one place that turns errors into answers. */
export function createApp(deps: AppDeps): Fetch {
  const app = new Hono<{ Bindings: Facts }>()
  const answerRead = createReadHandler(createAnswers(deps.head), deps)
  const pages = createPages(deps)
  const reads = deps.discovery ? [...readRoutes, deps.discovery.route] : readRoutes
  const table = [...reads.map(({ path }) => ({ method: 'get' as const, path })), ...calls]
  const known = table.map(({ method, path }) => ({
    method,
    path,
    form: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }))

  app.use(async (c, next) => {
    refuseStrangers(c.req.raw, deps.doors)
    await next()
  })
  if (deps.discovery) app.use(deps.discovery.path, deps.discovery.charge)
  for (const route of reads) app.get(route.path, (c) => answerRead(c, route))
  for (const { method, path, handle } of calls) app.on(method.toUpperCase(), path, (c) => handle(c, deps))
  app.get('*', async (c, next) => (await answerPage(c)) ?? next())
  app.notFound((c) => {
    const methods = known.filter(({ form }) => form.test(c.req.path)).map(({ method }) => method)
    if (methods.length === 0) throw new HttpError(404, 'NOT_FOUND', 'There is nothing at this path.')
    if (methods.includes('get') && c.req.method === 'OPTIONS') return respondPreflight(c.env)
    const allow = methods.map((each) => (each === 'get' ? 'GET, HEAD, OPTIONS' : 'POST')).join(', ')
    throw new HttpError(405, 'METHOD_NOT_ALLOWED', `${c.req.path} answers ${allow} only.`, { headers: { allow } })
  })
  app.onError((error, c) => {
    if (error instanceof HttpError) return respondError(c.env, c.req.method, error)
    deps.log.error({ id: c.env.id, err: error }, 'fault')
    return respondOnce(c.env, c.req.method, 500, { error: 'Internal error', code: 'INTERNAL' })
  })

  const limits = {
    get: createRateLimit({ perMinute: deps.perMinute.reads }),
    post: createRateLimit({ perMinute: deps.perMinute.calls }),
  }
  return createGate({
    ...deps,
    metrics: { watchInFlight: () => {}, answered: () => {} },
    placeOf: (path) => {
      const found = known.find(({ form }) => form.test(path))
      return { route: found?.path ?? 'other', limit: path === '/healthz' ? null : limits[found?.method ?? 'get'] }
    },
    answer: (...given) => app.fetch(...given),
  })

  async function answerPage(c: Ctx): Promise<Response | null> {
    const asset = deps.assets.get(c.req.path)
    if (asset) return respond(c.env, 200, asset.bytes, { 'content-type': asset.type, 'cache-control': 'no-cache' })
    const page: Page | undefined = await pages.match(c.req.path)?.(new URL(c.req.url))
    return page
      ? respond(c.env, page.status, page.html, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': pagePolicy,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        })
      : null
  }
}
