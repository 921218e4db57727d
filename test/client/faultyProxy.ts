import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the proxy does with a request. */
export type ProxyFault =
  /** Passes it on. */
  | 'none'
  /** Never answers. */
  | 'hang'
  /** Passes the head and the first bytes of the answer on, then nothing, and keeps the connection open. */
  | 'stall'
  /** Closes the connection in the middle of a message. */
  | 'cut'
  /** Answers with this status and `Retry-After: 1`. */
  | 429
  | 503

export interface FaultyProxy {
  url: string
  /** Where requests go. */
  origin: string
  /** What happens to the next requests, one each; then they pass. */
  faults: ProxyFault[]
  /** Closes all connections, as the end of a replica does. */
  drop: () => void
  stop: () => Promise<void>
}

/** How much of an answer passes before it stalls or is cut: more than one event, and no whole number of them. */
const passedBytes = 1_500

/** Starts a proxy that fails as it is told. */
export async function startFaultyProxy(origin: string): Promise<FaultyProxy> {
  const server = createServer((incoming, outgoing) => answer(proxy.faults.shift() ?? 'none', incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    origin,
    faults: [],
    drop: () => server.closeAllConnections(),
    async stop() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
  return proxy

  function answer(fault: ProxyFault, { url, headers }: IncomingMessage, outgoing: ServerResponse): void {
    if (fault === 'hang') return
    if (typeof fault === 'number') {
      const body = JSON.stringify({ error: 'Later', code: 'RATE_LIMITED' })
      outgoing.writeHead(fault, { 'retry-after': '1', 'content-type': 'application/json' }).end(body)
      return
    }
    const onward = request(new URL(url ?? '/', proxy.origin), { headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      outgoing.flushHeaders()
      let passed = 0
      response.on('data', (bytes: Buffer) => {
        const part = fault === 'none' ? bytes : bytes.subarray(0, Math.max(0, passedBytes - passed))
        passed += part.length
        if (part.length > 0) outgoing.write(part)
        if (fault === 'cut' && passed >= passedBytes) outgoing.write('', () => outgoing.destroy())
      })
      response.once('close', () => fault !== 'stall' && outgoing.destroy())
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.once('close', () => onward.destroy())
    onward.end()
  }
}
