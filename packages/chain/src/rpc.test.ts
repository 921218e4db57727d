import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createRpc } from './rpc.ts'

interface Asked {
  id: number
  params: [string]
}

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Starts a provider that responds with a given function and records the request bodies. */
async function provider(answer: (body: Asked | Asked[]) => unknown) {
  const bodies: (Asked | Asked[])[] = []
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString())
    bodies.push(body)
    response.end(JSON.stringify(answer(body)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { bodies, rpc: createRpc({ name: 'node', url: `http://127.0.0.1:${port}` }) }
}

const echo = ({ id, params }: Asked) => ({ jsonrpc: '2.0', id, result: params[0] })
const refusal = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'too many' } }
const headers = (rpc: ReturnType<typeof createRpc>, count: number) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => rpc.request('eth_getBlockByNumber', [String(index)])))
const values = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ status: 'fulfilled', value: `${index}` }))

test('sends concurrent header requests as one batch and matches responses in any order', async () => {
  const { rpc, bodies } = await provider((body) => (Array.isArray(body) ? body.map(echo).reverse() : echo(body)))
  expect(await headers(rpc, 30)).toEqual(values(30))
  expect(bodies).toHaveLength(1)
})

test('halves a rejected batch until it is accepted, and sends no larger one afterwards', async () => {
  const { rpc, bodies } = await provider((body) =>
    Array.isArray(body) ? (body.length > 10 ? refusal : body.map(echo)) : echo(body),
  )
  expect(await headers(rpc, 40)).toEqual(values(40))
  const before = bodies.length
  expect(await headers(rpc, 40)).toEqual(values(40))
  expect(bodies.slice(before)).toHaveLength(4)
})

test('sends single calls to a provider that accepts no batches', async () => {
  const { rpc } = await provider((body) => (Array.isArray(body) ? refusal : echo(body)))
  expect(await headers(rpc, 5)).toEqual(values(5))
})

test('a missing response or an error in a batch fails only its own call', async () => {
  const { rpc } = await provider((body) =>
    Array.isArray(body) ? [echo(body[0] as Asked), { ...refusal, id: body[1]?.id }] : echo(body),
  )
  const [first, second, third] = await headers(rpc, 3)
  expect(first).toMatchObject({ value: '0' })
  expect(second).toMatchObject({ reason: { name: 'RpcResponseError', message: /too many/ } })
  expect(third).toMatchObject({ reason: { name: 'ChainReadError', retryable: true } })
})
