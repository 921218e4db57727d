import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the origin got it. */
interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

/** A hop between a proxy and an origin that writes down what is asked. */
export interface Recorder {
  port: number
  asked: Asked[]
  /** Headers of answers that are other ones than the origin's; null: none. */
  alter: (url: string) => Readonly<Record<string, string | null>>
  /** Whether a request, once read, is answered by cutting the connection. */
  cuts: boolean
  /** Nobody listens any more, and what was open is cut. */
  close: () => Promise<void>
  /** Listens again, at the same port. */
  open: () => Promise<void>
}

/** Starts it before whoever listens at `origin`. */
export async function startRecorder(origin: string): Promise<Recorder> {
  const { hostname, port: originPort } = new URL(origin)
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    recorder.asked.push({ method, url, headers })
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
    asked: [],
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
