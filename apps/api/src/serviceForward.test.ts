import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNotifyForward, createStoreForward } from './serviceForward.ts'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  bytes: number
}

const seen: Seen[] = []
const server = createServer(async (request, response) => {
  const { method, url, headers } = request
  const chunks: Buffer[] = await request.toArray()
  seen.push({ method, url, headers, bytes: Buffer.concat(chunks).length })
  response.writeHead(206, { 'content-range': 'bytes 2-3/9', 'cache-control': 'private', 'content-length': '2' })
  response.end('ab')
})
const context = { id: 'request-1', client: '203.0.113.7', limit: null, left: 0 }
const forwardTo = (url: string) => createStoreForward({ url, address: '0x02484cb50AAC86Eae85610D6f4Bf026f30f6627D' })
let forward: ReturnType<typeof forwardTo>

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  forward = forwardTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => void server.close())

test('passes on what the store needs, for the same client, and the answer as it is', async () => {
  const response = await forward(
    new Request('http://market.example/store/v1/vault?a=b', {
      headers: { authorization: 'Bearer x', range: 'bytes=2-3', cookie: 'secret', 'x-forwarded-for': '198.51.100.1' },
    }),
    { ...context, client: '2001:db8:1:2::/64' },
  )
  expect([response.status, await response.text()]).toEqual([206, 'ab'])
  expect(response.headers.get('content-range')).toBe('bytes 2-3/9')
  expect(response.headers.get('cache-control')).toBe('private')
  const { url, headers } = seen.at(-1) ?? { url: '', headers: {} }
  expect(url).toBe('/v1/vault?a=b')
  expect(headers).toMatchObject({
    authorization: 'Bearer x',
    range: 'bytes=2-3',
    'x-forwarded-for': '2001:db8:1:2::',
    'x-request-id': 'request-1',
  })
  expect(headers.cookie).toBeUndefined()
})

test('an upload keeps its length, which the store requires', async () => {
  const body = new Uint8Array(4 * 1_024 * 1_024)
  const headers = { 'content-length': String(body.length) }
  const request = new Request('http://market.example/store/v1/parts/x', { method: 'PUT', body, headers })
  expect((await forward(request, context)).status).toBe(206)
  expect(seen.at(-1)).toMatchObject({ bytes: body.length, headers })
  expect(seen.at(-1)?.headers['transfer-encoding']).toBeUndefined()
})

test("nothing leaves the store's public routes", async () => {
  for (const path of ['/store/v1/../metrics', '/store/v1/%2e%2e/metrics', '/store/metrics']) {
    const request = new Request(`http://market.example${path}`)
    await expect(forward(request, context), path).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
})

test('a store that is down is said to be down', async () => {
  const request = new Request('http://market.example/store/v1/store')
  const failed = forwardTo('http://127.0.0.1:1')(request, context)
  await expect(failed).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', status: 502 })
})

test('the notifier gets its path as it is, and says so if it does not answer', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await createNotifyForward(url)(new Request('http://market.example/notify/v1/inbox?since=4'), context)
  expect(seen.at(-1)?.url).toBe('/notify/v1/inbox?since=4')
  const gone = createNotifyForward('http://127.0.0.1:1')(new Request('http://market.example/notify/v1/inbox'), context)
  await expect(gone).rejects.toMatchObject({ code: 'NOTIFIER_UNREACHABLE' })
  const outside = createNotifyForward(url)(new Request('http://market.example/notify/../metrics'), context)
  await expect(outside).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
