import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Facts } from './facts.ts'

/** An answer as node writes it. */
export interface Reply {
  status: number
  /** Names and values by turns, but for the request's id and the length. */
  headers: readonly string[]
  /** Texts have no letter beyond ASCII. */
  body: readonly string[] | Uint8Array | null
}

/** Answers a request for a path from its URL and its headers alone. Faults of ours have been turned into answers. */
export type QuickAnswer = (url: string, headers: IncomingHttpHeaders, facts: Facts) => Reply | Promise<Reply>

/** What needs no decoding and no care: everything else is read by who knows all of HTTP. */
const plainUrl = /^\/[\w./-]*(?:\?[\w.&=:-]*)?$/
const plainHost = /^[a-z0-9.-]+(?::\d{4,5})?$/

/** Whether a request may be answered without making a `Request` of it: one that announces a body may not. */
export function isPlain(url: string, headers: IncomingHttpHeaders): boolean {
  const { host } = headers
  return host !== undefined && plainHost.test(host) && plainUrl.test(url) && !url.includes('/.') && !hasBody(headers)
}

/** Whether a request says that more comes after its headers. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Writes an answer out; nothing happens where the client has left. */
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

/** An answer that was made for others, as node writes it. */
export async function replyOf(response: Response): Promise<Reply> {
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== 'x-request-id').flat(),
    body: new Uint8Array(await response.arrayBuffer()),
  }
}
