import { type Listening, listen } from '@svc/serve'

/** A proxy that forwards everything and changes the answers. */
export interface TamperingProxy {
  url: string
  stop: () => Promise<unknown>
}

/** Starts a proxy in front of `target`. `tamper` gets the path and an answer, or one message of a stream. */
export async function startTamperingProxy(
  target: string,
  tamper: (path: string, said: string) => string,
): Promise<TamperingProxy> {
  const { port, close }: Listening = await listen({
    async fetch(request: Request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      for (const name of ['host', 'connection', 'content-length', 'accept-encoding']) headers.delete(name)
      const body = request.method === 'GET' ? null : await request.text()
      const init = { method: request.method, headers, body, signal: request.signal }
      const answer = await fetch(new URL(pathname + search, target), init)
      const type = answer.headers.get('content-type') ?? ''
      const said = type.startsWith('text/event-stream') ? changed(answer) : tamper(pathname, await answer.text())
      return new Response(said, { status: answer.status, headers: { 'content-type': type } })

      function changed({ body: stream }: Response) {
        const transform = (message: string, to: TransformStreamDefaultController<string>) =>
          to.enqueue(tamper(pathname, message))
        return stream
          ?.pipeThrough(new TextDecoderStream())
          .pipeThrough(new TransformStream<string, string>({ transform }))
          .pipeThrough(new TextEncoderStream())
      }
    },
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 100,
    // The client has disconnected.
    onFault: () => {},
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => close(1_000) }
}
