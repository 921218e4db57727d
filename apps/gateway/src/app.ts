import type { Deployments, MarketReader, Providers } from '@svc/chain'
import {
  gatewayEndpoints,
  gatewayRoutes,
  paidEndpoints,
  parseReadOptions,
  ServiceError,
  splitEndpoint,
} from '@svc/operations'
import { type ReadHandler, reads } from '@svc/reads'
import {
  buildCommonHeaders,
  type CallHandler,
  createContractAnswer,
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
  respondPreflight,
} from '@svc/serve'
import { Hono } from 'hono'
import type { Asset } from './assets.ts'
import type { CallDeps } from './calls/deps.ts'
import * as calls from './calls/index.ts'
import { gatewayOpenapi } from './contract/openapi.ts'
import { type AllowedHosts, assertAllowedOrigin } from './originGuard.ts'
import { createPages, type Page } from './pages/createPages.ts'
import { type Answer, createAnswerRead } from './reads/answerReads.ts'
import { createTreasuryRead } from './reads/treasury.ts'

export interface AppDeps extends CallDeps, Pick<GateOptions, 'resolveClient' | 'log' | 'stopping'> {
  reader: MarketReader
  providers: Providers
  deployments: Deployments
  doors: AllowedHosts
  /** Files that pages load, by path. */
  assets: ReadonlyMap<string, Asset>
  /** Rate limits per client and minute, for reads and for calls. */
  perMinute: { reads: number; calls: number }
}

type Handler = ReadHandler | CallHandler<CallDeps>

/** `Vary` header of responses to calls. */
const vary = 'PAYMENT-RECEIPT, X-PAYMENT-RECEIPT, PAYMENT-SIGNATURE, Origin'

const health = { method: 'get', path: '/healthz' } as const
const contract = { method: 'get', path: '/openapi.yaml' } as const

/** No third-party content, no inline scripts, no framing. Only pages with a search form can send one, to this gateway. */
const buildPagePolicy = (hasForm: boolean) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action ${hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`

/** Creates the gateway's app: reads, calls, pages, and one error handler. */
export function createGatewayApp(deps: AppDeps): Fetch {
  const app = new Hono<{ Bindings: RequestContext }>()
  const answerRead = createAnswerRead(deps)
  const pages = createPages(deps)
  const answerContract = createContractAnswer(gatewayOpenapi, 'no-cache')
  const paid = deps.discovery ? Object.values(paidEndpoints).map(splitEndpoint) : []
  const known = [...gatewayRoutes, ...paid, health, contract].map(({ method, path }) => ({
    method,
    path,
    form: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }))

  app.use(async (c, next) => {
    assertAllowedOrigin(c.req.raw, deps.doors)
    await next()
  })
  if (deps.discovery) app.use(deps.discovery.path, deps.discovery.charge)
  const handlers = { ...reads, ...calls, getTreasury: createTreasuryRead(deps.providers) }
  mountHttp<Handler, typeof gatewayEndpoints>(app, gatewayEndpoints, handlers, answer)
  if (deps.discovery) mountHttp<Handler, typeof paidEndpoints>(app, paidEndpoints, reads, answer)
  app.get(health.path, (c) => respondCall(c, { alive: true }))
  app.get(contract.path, (c) => answerContract(c.env))
  app.get('*', async (c, next) => (await answerPage(c)) ?? next())
  app.notFound((c) => {
    const methods = known.filter(({ form }) => form.test(c.req.path)).map(({ method }) => method)
    if (methods.length === 0) throw new ServiceError('NOT_FOUND', 'There is nothing at this path.')
    if (methods.includes('get') && c.req.method === 'OPTIONS') return respondPreflight(c.env)
    const allow = methods.map((each) => (each === 'get' ? 'GET, HEAD, OPTIONS' : 'POST')).join(', ')
    throw new ServiceError('METHOD_NOT_ALLOWED', `${c.req.path} answers ${allow} only.`, { headers: { allow } })
  })
  app.onError((error, c) => {
    if (error instanceof ServiceError) return respondError(c.env, c.req.method, error, { vary })
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
    findRoute: (path) => {
      const found = known.find(({ form }) => form.test(path))
      return {
        route: found?.path ?? 'other',
        limit: path === '/healthz' ? null : found && found.method !== 'get' ? limits.post : limits.get,
      }
    },
    answer: (...given) => app.fetch(...given),
    // Its one client is its owner.
    maxArrivingPerClient: 1_000,
  })

  function answer(handler: Handler, c: HttpContext, readInput: ReadInput): Promise<Response> {
    return 'ask' in handler ? answerQuestion(handler, c, readInput) : answerCall(handler, c, readInput)
  }

  async function answerQuestion({ ask }: ReadHandler, c: HttpContext, readInput: ReadInput): Promise<Response> {
    const given = await readInput()
    return respondRead(
      c.env,
      await answerRead(ask(given), parseReadOptions(given).minBlock),
      c.req.header('if-none-match'),
    )
  }

  async function answerCall(
    { handle }: CallHandler<CallDeps>,
    c: HttpContext,
    readInput: ReadInput,
  ): Promise<Response> {
    const { caller, headers } = identifyCaller(c)
    const body = await handle(await readInput(), deps, caller)
    return respondCall(c, body, headers)
  }

  async function answerPage(c: HttpContext): Promise<Response | null> {
    const asset = deps.assets.get(c.req.path)
    if (asset) return respond(c.env, 200, asset.bytes, { 'content-type': asset.type, 'cache-control': 'no-cache' })
    const page: Page | undefined = await pages.match(c.req.path)?.(new URL(c.req.url))
    return page
      ? respond(c.env, page.status, page.html, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': buildPagePolicy(page.hasForm),
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        })
      : null
  }
}

/** A response that is not cached and that other origins cannot read. */
function respondCall(c: HttpContext, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status: 200,
    headers: {
      ...buildCommonHeaders(c.env),
      ...c.env.limit?.headers(c.env.left),
      'content-type': 'application/json',
      'cache-control': 'no-store',
      vary,
      ...headers,
    },
  })
}

function respondRead(
  facts: RequestContext,
  { text, etag, blockNumber, stale }: Answer,
  given: string | undefined,
): Response {
  const headers = {
    ...open,
    ...facts.limit?.headers(facts.left),
    'cache-control': 'no-store',
    'content-type': 'application/json',
    etag,
    'x-block-number': String(blockNumber),
    'x-read-path': 'chain',
    ...(stale && { warning: '110 - "Response is Stale"' }),
  }
  return given === etag ? respond(facts, 304, null, headers) : respond(facts, 200, text, headers)
}
