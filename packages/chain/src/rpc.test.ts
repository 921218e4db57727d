import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
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

/** Starts a server that handles each request body with a given function, and records the bodies. */
async function serve(handle: (body: Asked | Asked[], response: ServerResponse) => void) {
  const bodies: (Asked | Asked[])[] = []
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString())
    bodies.push(body)
    handle(body, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { bodies, url: `http://127.0.0.1:${port}` }
}

/** Starts a provider that responds with the result of a function. */
async function provider(answer: (body: Asked | Asked[]) => unknown) {
  const { bodies, url } = await serve((body, response) => response.end(JSON.stringify(answer(body))))
  return { bodies, rpc: createRpc({ name: 'node', url }) }
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

describe('a provider that wants fewer requests', () => {
  let now = 1_000
  const reports: string[] = []
  const createTestRpc = (url: string, extra = {}) =>
    createRpc({
      name: 'node',
      url,
      now: () => now,
      random: () => 1,
      onCall: ({ outcome }) => reports.push(outcome),
      ...extra,
    })
  afterEach(() => {
    now = 1_000
    reports.length = 0
  })

  test('is not asked again before the time it names', async () => {
    let throttled = true
    const { url, bodies } = await serve((_, response) => {
      if (throttled) response.writeHead(429, { 'retry-after': '3' }).end('slow down')
      else response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }))
    })
    const rpc = createTestRpc(url)
    const ask = () => rpc.request('eth_chainId', [])
    await expect(ask()).rejects.toMatchObject({ name: 'RateLimitedError', retryAfterMs: 3_000, retryable: true })
    throttled = false
    now += 2_999
    await expect(ask()).rejects.toMatchObject({ name: 'RateLimitedError', retryAfterMs: 1 })
    expect(bodies).toHaveLength(1)
    now += 1
    expect(await ask()).toBe('0x1')
    expect(reports).toEqual(['throttled', 'held', 'ok'])
  })

  test.each([
    ['-32016', { code: -32016, message: 'over rate limit' }],
    ['-32005', { code: -32005, message: 'daily request count exceeded, request rate limited' }],
    ['429', { code: 429, message: 'Your app has exceeded its compute units per second capacity.' }],
  ])('with code %s is asked ever more rarely, in single calls and batches', async (_, error) => {
    const { url, bodies } = await serve((body, response) => {
      const answer = (id: unknown) => ({ jsonrpc: '2.0', id, error })
      response.end(JSON.stringify(Array.isArray(body) ? body.map(({ id }) => answer(id)) : answer(body.id)))
    })
    const rpc = createTestRpc(url)
    const gaps: number[] = []
    for (let sent = 1, since = now; gaps.length < 9; now += 250) {
      await Promise.allSettled([rpc.request('eth_getBlockByNumber', ['1']), rpc.request('eth_getBlockByNumber', ['2'])])
      if (bodies.length < sent) continue
      gaps.push(now - since)
      ;[sent, since] = [bodies.length + 1, now]
    }
    expect(gaps.slice(1)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000])
  })

  test('too many results are not too many requests', async () => {
    const { url } = await serve((_, response) => {
      const error = { code: -32005, message: 'query returned more than 10000 results' }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }))
    })
    await expect(createTestRpc(url).request('eth_getLogs', [{}])).rejects.toMatchObject({ name: 'RpcResponseError' })
    expect(reports).toEqual(['rejected'])
  })
})

test('bounds the calls in flight, and a call that waits too long for its turn fails in time', async () => {
  const open: (() => void)[] = []
  const { url } = await serve((body, response) => {
    open.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', id: (body as Asked).id, result: '0x1' })))
  })
  const rpc = createRpc({ name: 'node', url, maxInFlight: 2, timeoutMs: 2_000 })
  const calls = [1, 2, 3].map(() => rpc.request('eth_chainId', []))
  const late = calls.map((call) => call.catch((error: Error) => error.message))
  await expect.poll(() => open.length).toBe(2)
  open.shift()?.()
  await expect.poll(() => open.length).toBe(2)
  expect(await calls[0]).toBe('0x1')
  // Nobody answers the other two: one in flight, and one more behind them.
  const queued = rpc.request('eth_chainId', []).catch((error: Error) => error.message)
  expect(await Promise.all([...late.slice(1), queued])).toEqual(
    Array.from({ length: 3 }, () => 'node did not answer eth_chainId in 2000 ms.'),
  )
})
