import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the origin received it. */
interface RecordedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

/** A proxy in front of an origin that records requests. */
export interface Recorder {
  port: number
  requests: RecordedRequest[]
  /** Response headers that replace those of the origin; null for none. */
  alter: (url: string) => Readonly<Record<string, string | null>>
  /** Whether to close the connection after reading a request. */
  cuts: boolean
  /** Stops listening and closes open connections. */
  close: () => Promise<void>
  /** Listens again on the same port. */
  open: () => Promise<void>
}

/** Starts a recorder in front of `origin`. */
export async function startRecorder(origin: string): Promise<Recorder> {
  const { hostname, port: originPort } = new URL(origin)
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    recorder.requests.push({ method, url, headers })
    if (recorder.cuts) {
      await incoming.resume().toArray()
      incoming.socket.destroy()
      return
    }
    const onward = request({ hostname, port: originPort, method, path: url, headers }, (answer) => {
      const altered = Object.entries({ ...answer.headers, ...recorder.alter(url) }).filter(
        ([, value]) => value !== null,
      )
      outgoing.writeHead(answer.statusCode ?? 500, Object.fromEntries(altered) as IncomingHttpHeaders)
      answer.pipe(outgoing)
    })
    outgoing.once('close', () => onward.destroy())
    onward.once('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  const listenAt = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listenAt(0)
  const { port } = server.address() as AddressInfo
  const recorder: Recorder = {
    port,
    requests: [],
    alter: () => ({}),
    cuts: false,
    async close() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
    open: () => listenAt(port),
  }
  return recorder
}
