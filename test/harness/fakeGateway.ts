import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a fake OpenAI-compatible gateway answers. */
type AnswerRequest = (response: ServerResponse, request: IncomingMessage) => void

/** A fake of the chat gateway, the one party that tests cannot use for real. */
export interface FakeGateway {
  baseUrl: string
  /** The requests it received, in order. */
  asked: { authorization: string | undefined; contentType: string | undefined; body: unknown }[]
  answer: (how: AnswerRequest) => void
  /** Resolves when the client closes the connection of an unfinished answer. */
  abandoned: () => Promise<void>
  stop: () => Promise<void>
}

/** The answer of a working gateway. */
export const formatCompletion = (content: unknown, model: unknown = 'fake-1'): string =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content } }],
  })

/** Starts a gateway that answers `hello` until `answer` changes it. */
export async function startFakeGateway(): Promise<FakeGateway> {
  const asked: FakeGateway['asked'] = []
  let how: AnswerRequest = (response) => response.end(formatCompletion('hello'))
  let onAbandoned = () => {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization, 'content-type': contentType } = request.headers
    asked.push({ authorization, contentType, body: JSON.parse(Buffer.concat(chunks).toString()) })
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
