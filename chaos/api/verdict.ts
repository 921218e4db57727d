import { errorJson } from '@svc/protocol/http'
import { z } from 'zod'
import { routes } from '../../apps/api/src/routes/index.ts'
import { operations } from './contract.ts'
import { bytesOf, type RawRequest } from './request.ts'
import type { RawAnswer } from './send.ts'

/** What the server says before any route is known, and about paths that are none. */
const elsewhere = new Set([204, 400, 404, 405, 413, 414, 417, 431])
const pages = new Set(['/', '/openapi.yaml', '/docs', '/llms.txt', '/healthz', '/readyz', '/metrics'])
/** 503 is right when a client asks for a block of the future, or for a chat that is busy. */
const excused = new Set(['BLOCK_NOT_REACHED', 'CHAT_BUSY', 'PRICE_UNKNOWN'])

/** What tells of our own insides. */
const traces: readonly ((text: string) => boolean)[] = [
  (text) => /\n\s+at \S+|node:internal|node_modules|postgres:\/\/|\.ts:\d+/.test(text),
  (text) => text.includes(process.cwd()),
]

/** What is wrong with an answer; null when nothing is. */
export function verdict(request: RawRequest, { status, headers, body }: RawAnswer): string | null {
  if (status === null) return request.broken ? null : 'hung up without a word'
  if (status === 401) return 'a 401'
  if ('x-injected' in headers) return 'a header of the client in the answer'
  if (headers['access-control-allow-credentials']) return 'credentials are allowed'
  const sent = said(request)
  if (!isPage(request) && traces.some((isTrace) => isTrace(body) && !isTrace(sent)))
    return `a trace: ${body.slice(0, 200)}`
  return judgeStatus(request, status, headers, body)
}

/** What the client said, so that an echo is no trace of ours. */
function said(request: RawRequest): string {
  const text = bytesOf(request).toString('utf8')
  return text + unescape(text)
}

/** The path as the server must read it: dot segments are gone, and so is the host of an absolute URL. */
const pathOf = ({ target }: RawRequest) =>
  URL.canParse(target, 'http://127.0.0.1') ? decoded(new URL(target, 'http://127.0.0.1').pathname) : target

/** Escapes of what needs none mean the same. */
const decoded = (path: string) => path.replaceAll(/%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi, decodeURIComponent)
const isPage = (request: RawRequest) => pages.has(pathOf(request))

function judgeStatus(request: RawRequest, status: number, headers: RawAnswer['headers'], body: string): string | null {
  const { method } = request
  const path = pathOf(request)
  const operation = operations.find(
    (each) => each.path === path && each.method === (method === 'HEAD' ? 'GET' : method),
  )
  if (!operation && !elsewhere.has(status) && !(status === 200 && isPage(request)))
    return `status ${status} at no route`
  if (operation && !operation.statuses.has(status) && !elsewhere.has(status))
    return `status ${status} is not documented`
  // What cannot be parsed has no method either, so a HEAD may be answered with a body then.
  if (method === 'HEAD' && (body === '' || status < 400)) return body === '' ? null : 'a body to HEAD'
  if (status === 204 || status === 304) return body === '' ? null : `a body with ${status}`
  if (headers['content-type']?.startsWith('text/event-stream'))
    return operation?.path === '/api/market/events' ? null : 'a stream'
  if (status === 200 && isPage(request)) return null
  return judgeBody(operation?.path, status, headers, body)
}

function judgeBody(
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
    return status < 500 || status === 502 || excused.has(data.code) ? null : `a ${status}: ${body}`
  }
  const answer = routes.find((route) => route.path === path)?.answer
  const { error } = z.safeParse(answer as z.core.$ZodType, json)
  return error ? `an answer of another shape: ${JSON.stringify(error.issues[0])}` : null
}
