import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer, SimNode } from './node.ts'

/** A node served over HTTP. */
export interface SimServer {
  url: string
  close: () => Promise<void>
}

/** Serves a node over HTTP on 127.0.0.1, single calls and batches. Port zero takes a free one. */
export async function serveNode(node: SimNode, port = 0): Promise<SimServer> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    let body: unknown
    try {
      body = JSON.parse(Buffer.concat(parts).toString('utf8'))
    } catch {
      body = null
    }
    const calls = (Array.isArray(body) ? body : [body]) as (Partial<RpcCall> | null)[]
    const answers = calls.map((call) =>
      call && typeof call.method === 'string'
        ? node.answer(call.method, call.params ?? [])
        : ({ error: { code: -32600, message: 'invalid request' } } as const),
    )
    // A fault of one call breaks the answer to the whole batch.
    const broken = answers.find((answer) => !('result' in answer || 'error' in answer))
    if (broken) return breakOff(broken)
    const texts = answers.map((answer, index) =>
      JSON.stringify({ jsonrpc: '2.0', id: calls[index]?.id ?? null, ...answer }),
    )
    response.setHeader('content-type', 'application/json')
    response.end(Array.isArray(body) ? `[${texts.join(',')}]` : texts[0])

    function breakOff(answer: Answer): void {
      if ('status' in answer) {
        response.statusCode = answer.status
        if (answer.status === 429) response.setHeader('retry-after', '1')
        response.end('no')
      } else if ('text' in answer) response.end(answer.text)
      // No answer: the socket stays open until the caller gives up or the server closes.
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface RpcCall {
  id: number | string
  method: string
  params: unknown[]
}
