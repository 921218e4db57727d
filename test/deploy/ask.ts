import { type IncomingHttpHeaders, request } from 'node:http'

/** An answer as it came: neither unpacked nor decoded. */
export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface AskOptions {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | null
  /** The address to ask from: another loopback address is another client. */
  from?: string
}

/** Asks with the very path that is given, which `fetch` would tidy up. Waits 20 s at most. */
export function ask(base: string, path: string, options: AskOptions = {}): Promise<Answered> {
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
