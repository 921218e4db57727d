import type { Deployments, MarketReader } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { ErrorJson } from '@svc/protocol/http'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { createDocuments } from './contract/documents.ts'
import { HttpError } from './errors.ts'
import { parse } from './params.ts'
import type { Posting } from './posting/posting.ts'
import { type Answer, createAnswers } from './reads/answers.ts'
import type { Reads } from './reads/reads.ts'
import { createTail } from './reads/tail.ts'
import type { Watch } from './reads/watch.ts'
import { type CallRoute, methodOf, type ReadRoute } from './route.ts'
import { routes } from './routes/index.ts'
import { events } from './routes/market/events.ts'
import { createStream } from './stream.ts'

export interface AppDeps {
  places: Deployments
  reads: Reads
  watch: Watch
  direct: MarketReader
  posting: Posting
  publicRpcUrl: string
  onFault: (error: unknown, request: { method: string; path: string }) => void
}

/** A body that is longer is not read. */
const maxBody = 64 * 1024

/** The service: every route of the table, and one place that turns errors into answers. */
export function createApp(deps: AppDeps): Hono {
  const app = new Hono()
  const answers = createAnswers(deps)

  const stream = createStream(createTail(deps))
  app.get(events.path, (c, next) => {
    if (!c.req.header('accept')?.includes('text/event-stream')) return next()
    const { market, cursor } = parse(events.query, queryOf(c)) as { market: Market; cursor?: string }
    return stream(c, market, cursor)
  })
  for (const route of routes) {
    const method = methodOf(route)
    app.on(
      method.toUpperCase(),
      route.path,
      route.kind === 'read' ? (c) => answerRead(c, route) : (c) => answerCall(c, route),
    )
    app.all(route.path, () => {
      const allow = method === 'get' ? 'GET, HEAD' : 'POST'
      throw new HttpError(405, 'METHOD_NOT_ALLOWED', `${route.path} answers ${allow} only.`, { headers: { allow } })
    })
  }
  for (const { path, type, text, policy } of createDocuments()) {
    const headers = {
      ...open,
      'cache-control': 'public, max-age=300',
      'content-type': type,
      ...(policy && { 'content-security-policy': policy }),
    }
    app.get(path, (c) => c.body(text, 200, headers))
  }
  app.notFound(() => {
    throw new HttpError(404, 'NOT_FOUND', 'There is nothing at this path.', { hint: 'See /docs.' })
  })
  app.onError((error, c) => {
    if (error instanceof HttpError) return fail(c, error.status, error.body, error.headers)
    deps.onFault(error, { method: c.req.method, path: c.req.path })
    return fail(c, 500, { error: 'Internal error', code: 'INTERNAL' })
  })
  return app

  async function answerRead(c: Context, route: ReadRoute): Promise<Response> {
    return send(c, await answers(route, parse(route.query, queryOf(c))))
  }

  async function answerCall(c: Context, { method, input, call }: CallRoute): Promise<Response> {
    const given = method === 'get' ? queryOf(c) : await bodyOf(c)
    const body = await call(parse(input, given), { ...deps, reader: deps.direct })
    return c.json(body as object, 200, { 'cache-control': 'no-store', ...(method === 'get' && open) })
  }
}

/** Everybody's pages may read; credentials play no part. */
const open = { 'access-control-allow-origin': '*' }

const shared = 'public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=60'

function send(c: Context, { bytes, etag, blockNumber, path, stale }: Answer): Response {
  const headers = {
    ...open,
    'cache-control': shared,
    etag,
    'x-block-number': String(blockNumber),
    'x-read-path': path,
    ...(stale && { warning: '110 - "Response is Stale"' }),
  }
  if (matches(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
  return c.body(bytes, 200, { ...headers, 'content-type': 'application/json' })
}

/** Whether the client has this content already. */
function matches(given: string | undefined, etag: string): boolean {
  return given?.split(',', 50).some((each) => each.trim() === etag || each.trim() === '*') ?? false
}

/** The query by name; a name that comes twice is refused, since one of the two would be ignored. */
function queryOf(c: Context): Record<string, string> {
  return Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => {
      if (values.length > 1) throw new HttpError(400, 'INVALID_REQUEST', `${name.slice(0, 40)} is given twice.`)
      return [name, values[0] ?? '']
    }),
  )
}

/** The JSON object of a body. Refuses other types, and more than `maxBody` bytes while they come. */
async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.', close)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength
    if (size > maxBody) throw new HttpError(413, 'BODY_TOO_LARGE', `The body has more than ${maxBody} bytes.`, close)
    chunks.push(chunk)
  }
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>
  } catch {}
  throw new HttpError(400, 'INVALID_REQUEST', 'The body is not a JSON object.')
}

// The rest of the body stays unread, so the connection cannot serve another request.
const close = { headers: { connection: 'close' } }

function fail(c: Context, status: number, body: ErrorJson, headers: Readonly<Record<string, string>> = {}): Response {
  return c.json(body, status as ContentfulStatusCode, { ...open, 'cache-control': 'no-store', ...headers })
}
