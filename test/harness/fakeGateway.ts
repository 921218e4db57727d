import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a fake of an OpenAI-compatible gateway behaves when it is asked. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A fake: it stands for the one party that tests cannot have. */
export interface FakeGateway {
  baseUrl: string
  /** What it was asked, in order. */
  asked: { authorization: string | undefined; body: unknown }[]
  answer: (how: Answer) => void
  /** Settles when the next connection of an unfinished answer is closed by the other side. */
  abandoned: () => Promise<void>
  stop: () => Promise<void>
}

/** What a well-behaved gateway answers. */
export const completion = (content: unknown, model: unknown = 'fake-1'): string =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content } }],
  })

/** Starts a gateway that answers `hello` until told otherwise. */
export async function startFakeGateway(): Promise<FakeGateway> {
  const asked: FakeGateway['asked'] = []
  let how: Answer = (response) => response.end(completion('hello'))
  let onAbandoned = () => {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked.push({ authorization: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) })
    response.on('close', () => response.writableFinished || onAbandoned())
    how(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    answer: (next) => {
      how = next
    },
    abandoned: () =>
      new Promise((done) => {
        onAbandoned = done
      }),
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
