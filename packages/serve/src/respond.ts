import type { ServiceError } from '@svc/operations'
import type { RequestContext } from './requestContext.ts'

type Headers = Readonly<Record<string, string>>

/**
 * All responses are built here, with the headers as one plain object that the server writes unchanged. Middleware that sets
 * headers one by one costs a tenth of the throughput.
 */
export function respond(
  context: RequestContext,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Headers,
): Response {
  return new Response(body, { status, headers: { ...buildCommonHeaders(context), ...headers } })
}

/** A response that must not be cached. */
export function respondOnce(
  context: RequestContext,
  method: string,
  status: number,
  body: object,
  headers: Headers = {},
) {
  return respond(context, status, JSON.stringify(body), {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    // A cached response would show one client's rate limit to another.
    ...context.limit?.headers(context.left),
    ...((method === 'GET' || method === 'HEAD') && open),
    ...headers,
  })
}

/** Builds the response for an error. */
export function respondError(
  context: RequestContext,
  method: string,
  { status, body, headers }: ServiceError,
  more: Headers = {},
): Response {
  return respondOnce(context, method, status, body, { ...more, ...headers })
}

/** Answers a CORS preflight request. */
export function respondPreflight(context: RequestContext): Response {
  return respond(context, 204, null, {
    ...open,
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'If-None-Match, Last-Event-ID, X-Request-Id',
    'access-control-max-age': '86400',
    'cache-control': 'public, max-age=86400',
  })
}

/** Headers of every response. JSON is not a page: it loads nothing and cannot be framed. */
export const buildCommonHeaders = ({ id }: RequestContext): Headers => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-request-id': id,
})

/** Any origin may read; credentials are not used. */
export const open: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Warning, X-Block-Number, X-Read-Path, X-Request-Id',
}
