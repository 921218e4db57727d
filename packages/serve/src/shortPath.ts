import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { RequestContext } from './requestContext.ts'

/** A response in the form that node writes. */
export interface Reply {
  status: number
  /** Alternating names and values, without the request id and the length. */
  headers: readonly string[]
  /** Strings are ASCII only. */
  body: readonly string[] | Uint8Array | null
}

/** Answers a request for a path from its URL and headers alone. It never throws: faults are already turned into responses. */
export type QuickAnswer = (url: string, headers: IncomingHttpHeaders, context: RequestContext) => Reply | Promise<Reply>

/** URLs that need no decoding. All others take the full HTTP path. */
const plainUrl = /^\/[\w./-]*(?:\?[\w.&=:-]*)?$/
const plainHost = /^[a-z0-9.-]+(?::\d{4,5})?$/

/** Whether a request can be answered without a `Request` object. One with a body cannot. */
export function isPlain(url: string, headers: IncomingHttpHeaders): boolean {
  const { host } = headers
  return host !== undefined && plainHost.test(host) && plainUrl.test(url) && !url.includes('/.') && !hasBody(headers)
}

/** Whether the headers announce a body. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Writes a response; does nothing if the client has disconnected. */
export function send(outgoing: ServerResponse, { status, headers, body }: Reply, id: string): void {
  if (body === null) {
    outgoing.writeHead(status, ['x-request-id', id, ...headers]).end()
    return
  }
  const isBytes = body instanceof Uint8Array
  const length = isBytes ? body.length : body.reduce((sum, part) => sum + part.length, 0)
  outgoing.writeHead(status, ['x-request-id', id, ...headers, 'content-length', String(length)])
  if (isBytes) {
    outgoing.end(body)
    return
  }
  outgoing.cork()
  for (const part of body) outgoing.write(part, 'latin1')
  outgoing.end()
}

/** Converts a `Response` into the form that node writes. */
export async function convertResponse(response: Response): Promise<Reply> {
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== 'x-request-id').flat(),
    body: new Uint8Array(await response.arrayBuffer()),
  }
}
