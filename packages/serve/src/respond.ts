import type { HttpError } from './errors.ts'
import type { Facts } from './facts.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Answers are made here, with headers as one plain object: the server then writes them as they are. Middleware that sets
 * headers one by one costs a tenth of all requests.
 */
export function respond(
  facts: Facts,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Headers,
): Response {
  return new Response(body, { status, headers: { ...headersOf(facts), ...headers } })
}

/** An answer that no cache keeps. */
export function respondOnce(facts: Facts, method: string, status: number, body: object, headers: Headers = {}) {
  return respond(facts, status, JSON.stringify(body), {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    // An answer that a cache keeps would show one client's allowance to another.
    ...facts.limit?.headers(facts.left),
    ...((method === 'GET' || method === 'HEAD') && open),
    ...headers,
  })
}

/** What the client is told of an error. */
export function respondError(facts: Facts, method: string, { status, body, headers }: HttpError): Response {
  return respondOnce(facts, method, status, body, headers)
}

/** Says yes to the question of a browser whether a page may read. */
export function respondPreflight(facts: Facts): Response {
  return respond(facts, 204, null, {
    ...open,
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'If-None-Match, Last-Event-ID, X-Request-Id',
    'access-control-max-age': '86400',
    'cache-control': 'public, max-age=86400',
  })
}

/** What every answer has. JSON is no page: it loads nothing, and nobody frames it. */
export const headersOf = ({ id }: Facts): Headers => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-request-id': id,
})

/** Everybody's pages may read; credentials play no part. */
export const open: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Warning, X-Block-Number, X-Read-Path, X-Request-Id',
}
