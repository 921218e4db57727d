import { type IncomingHttpHeaders, request } from 'node:http'

/** A response as received, neither decompressed nor decoded. */
export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface RequestOptions {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | null
  /** The local address to send from. Another loopback address counts as another client. */
  from?: string
}

/** Sends a request with exactly this path, which `fetch` would normalize. Times out after 20 s. */
export function sendRequest(base: string, path: string, options: RequestOptions = {}): Promise<RawResponse> {
  const { method = 'GET', headers = {}, body = null, from = '127.0.0.1' } = options
  const { hostname, port } = new URL(base)
  const type = body === null ? {} : { 'content-type': 'application/json' }
  return new Promise((done, fail) => {
    const outgoing = request(
      {
        hostname,
        port,
        path,
        method,
        localAddress: from,
        agent: false,
        headers: { ...type, ...headers },
        timeout: 20_000,
      },
      async (answer) => {
        const body = Buffer.concat(await answer.toArray())
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body })
      },
    )
    outgoing.once('error', fail)
    outgoing.once('timeout', () => outgoing.destroy(new Error(`${path} took longer than 20 s.`)))
    outgoing.end(body ?? undefined)
  })
}
