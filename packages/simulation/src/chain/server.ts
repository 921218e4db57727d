import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer, RpcNode } from './node.ts'
import { acceptSocket, type SimSocket } from './webSocket.ts'

/** A node served over HTTP, and over WebSocket for subscriptions. */
export interface SimServer {
  url: string
  /** Where `eth_subscribe` to `newHeads` is accepted, if the server was given heads. */
  socketUrl: string
  /** Closes the sockets, without a farewell. New ones are accepted. */
  dropSockets: () => void
  close: () => Promise<void>
}

export interface ServeOptions {
  /** The most calls in a batch; a larger one is refused as a whole. 0 accepts no batches. */
  maxBatch?: number
  /** Called for every request. What it returns is answered instead. */
  onRequest?: () => Promise<Answer | null>
  /** Called for every call, also within a batch, and for every head that is pushed, as `newHeads`. */
  onCall?: (method: string) => void
  /** Calls the listener with the number of each new block. Returns the function that ends this. */
  heads?: (listener: (number: number) => void) => () => void
}

/** Serves a node on a free port of 127.0.0.1: single calls and batches over HTTP, `newHeads` over WebSocket. */
export async function serveNode(
  node: RpcNode,
  { maxBatch = Number.POSITIVE_INFINITY, onRequest, onCall, heads }: ServeOptions = {},
): Promise<SimServer> {
  const sockets = new Set<SimSocket>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    let body: unknown
    try {
      body = JSON.parse(Buffer.concat(parts).toString('utf8'))
    } catch {
      body = null
    }
    response.setHeader('content-type', 'application/json')
    if (Array.isArray(body) && body.length > maxBatch) {
      const error = { code: -32600, message: `batch of ${body.length} calls, the most is ${maxBatch}` }
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
    }
    const instead = await onRequest?.()
    if (instead) return breakOff(instead)
    const calls = (Array.isArray(body) ? body : [body]) as (Partial<RpcCall> | null)[]
    for (const call of calls) onCall?.(String(call?.method))
    const answers = await Promise.all(
      calls.map((call) =>
        call && typeof call.method === 'string'
          ? node.answer(call.method, call.params ?? [])
          : ({ error: { code: -32600, message: 'invalid request' } } as const),
      ),
    )
    // A fault of one call breaks the answer to the whole batch.
    const broken = answers.find((answer) => !('result' in answer || 'error' in answer))
    if (broken) return breakOff(broken)
    const texts = answers.map((answer, index) =>
      JSON.stringify({ jsonrpc: '2.0', id: calls[index]?.id ?? null, ...answer }),
    )
    response.end(Array.isArray(body) ? `[${texts.join(',')}]` : texts[0])

    function breakOff(answer: Answer): void {
      if ('status' in answer) {
        response.statusCode = answer.status
        if (answer.status === 429) response.setHeader('retry-after', String(answer.retryAfter ?? 1))
        response.end('no')
      } else if ('text' in answer) response.end(answer.text)
      // No answer: the socket stays open until the caller gives up or the server closes.
    }
  })
  server.on('upgrade', (request, stream) => {
    if (!heads) return void stream.end('HTTP/1.1 404 Not Found\r\n\r\n')
    let unsubscribe = () => {}
    const socket = acceptSocket(request, stream, {
      async text(text) {
        const { id, method, params } = JSON.parse(text) as RpcCall
        onCall?.(method)
        if (method === 'eth_chainId') {
          const answer = await node.answer(method, params)
          if ('result' in answer) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer.result }))
          return
        }
        if (method !== 'eth_subscribe' || params[0] !== 'newHeads') {
          const error = { code: -32601, message: `the method ${method} is not available here` }
          return socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }))
        }
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }))
        unsubscribe()
        unsubscribe = heads((number) => void pushHead(socket, number))
      },
      close() {
        unsubscribe()
        sockets.delete(socket)
      },
    })
    sockets.add(socket)
  })

  /** What the provider says about other blocks holds for heads too: late, false, or not at all. */
  async function pushHead(socket: SimSocket, number: number): Promise<void> {
    const answer = await node.answer('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    if (!('result' in answer) || answer.result === null) return
    onCall?.('newHeads')
    const { transactions: _, uncles: __, size: ___, ...header } = answer.result as Record<string, unknown>
    const params = { subscription: '0x1', result: header }
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    socketUrl: `ws://127.0.0.1:${taken}`,
    dropSockets: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
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
