import { apiRoutes, errorJson } from '@svc/operations'
import { z } from 'zod'
import { operations } from './contract.ts'
import { encodeRequest, type RawRequest } from './request.ts'
import type { RawAnswer } from './send.ts'

/** Statuses that the server may return before routing, and for unknown paths. */
const statusesBeforeRouting = new Set([204, 400, 404, 405, 413, 414, 417, 431])
const pages = new Set(['/', '/openapi.yaml', '/docs', '/llms.txt', '/healthz', '/readyz', '/metrics'])
/** 503 is correct for a future block, a busy chat and a missing price. */
const expected503Codes = new Set(['BLOCK_NOT_REACHED', 'CHAT_BUSY', 'PRICE_UNKNOWN'])

/** Tests for details of the implementation, such as stack traces and paths. */
const leakTests: readonly ((text: string) => boolean)[] = [
  (text) => /\n\s+at \S+|node:internal|node_modules|postgres:\/\/|\.ts:\d+/.test(text),
  (text) => text.includes(process.cwd()),
]

/** Describes what is wrong with an answer; null if nothing is. */
export function findAnswerFault(request: RawRequest, { status, headers, body }: RawAnswer): string | null {
  if (status === null) return request.isMalformed ? null : 'hung up without a word'
  if (status === 401) return 'a 401'
  if ('x-injected' in headers) return 'a header of the client in the answer'
  if (headers['access-control-allow-credentials']) return 'credentials are allowed'
  const sent = readSentText(request)
  if (!isPage(request) && leakTests.some((isTrace) => isTrace(body) && !isTrace(sent)))
    return `a trace: ${body.slice(0, 200)}`
  return checkStatus(request, status, headers, body)
}

/** Everything the client sent, so that an echo does not count as a leak. */
function readSentText(request: RawRequest): string {
  const text = encodeRequest(request).toString('utf8')
  return text + unescape(text)
}

/** The path as the server must read it: without dot segments, and without the host of an absolute URL. */
const readPath = ({ target }: RawRequest) =>
  URL.canParse(target, 'http://127.0.0.1') ? decoded(new URL(target, 'http://127.0.0.1').pathname) : target

/** Decodes escapes of characters that need none. */
const decoded = (path: string) => path.replaceAll(/%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi, decodeURIComponent)
const isPage = (request: RawRequest) => pages.has(readPath(request))

function checkStatus(request: RawRequest, status: number, headers: RawAnswer['headers'], body: string): string | null {
  const { method } = request
  const path = readPath(request)
  const operation = operations.find(
    (each) => each.path === path && each.method === (method === 'HEAD' ? 'GET' : method),
  )
  if (!operation && !statusesBeforeRouting.has(status) && !(status === 200 && isPage(request)))
    return `status ${status} at no route`
  if (operation && !operation.statuses.has(status) && !statusesBeforeRouting.has(status))
    return `status ${status} is not documented`
  // A request that cannot be parsed has no method, so even a HEAD may be answered with a body.
  if (method === 'HEAD' && (body === '' || status < 400)) return body === '' ? null : 'a body to HEAD'
  if (status === 204 || status === 304) return body === '' ? null : `a body with ${status}`
  if (headers['content-type']?.startsWith('text/event-stream'))
    return operation?.path === '/api/market/events' ? null : 'a stream'
  if (status === 200 && isPage(request)) return null
  return checkBody(operation?.path, status, headers, body)
}

function checkBody(
  path: string | undefined,
  status: number,
  headers: RawAnswer['headers'],
  body: string,
): string | null {
  if (!headers['content-type']?.startsWith('application/json')) return `a body of type ${headers['content-type']}`
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return `a body that is no JSON: ${body.slice(0, 200)}`
  }
  if (status >= 400) {
    const { success, data } = z.safeParse(errorJson, json)
    if (!success) return `an error of another shape: ${body.slice(0, 200)}`
    if (body.length > 1_000) return `an error of ${body.length} bytes`
    return status < 500 || status === 502 || expected503Codes.has(data.code) ? null : `a ${status}: ${body}`
  }
  const answer = apiRoutes.find((route) => route.path === path)?.operation.output
  const { error } = z.safeParse(answer as z.core.$ZodType, json)
  return error ? `an answer of another shape: ${JSON.stringify(error.issues[0])}` : null
}
