import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { workLimits } from '@svc/protocol/work'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Nginx, startNginx } from '../harness/nginx.ts'
import { sendRequest } from './sendRequest.ts'

const seen: { url: string | undefined; headers: IncomingHttpHeaders; bytes: number }[] = []
const store = createServer(async (request, response) => {
  const chunks: Buffer[] = await request.toArray()
  seen.push({ url: request.url, headers: request.headers, bytes: Buffer.concat(chunks).length })
  response.writeHead(200, { 'cache-control': 'public, max-age=300' })
  response.end('work')
})
let nginx: Nginx

beforeAll(async () => {
  await new Promise<void>((done) => store.listen(0, '127.0.0.1', done))
  nginx = await startNginx([1], { storePort: (store.address() as AddressInfo).port })
})
afterAll(async () => {
  await nginx?.stop()
  store.close()
})

test('a part reaches the store with its length, session and client, and nothing is cached', async () => {
  const body = 'x'.repeat(workLimits.partBytes)
  const headers = {
    authorization: 'Bearer x',
    'content-length': String(body.length),
    'x-forwarded-for': '198.51.100.1',
  }
  const put = await sendRequest(nginx.url, '/store/v1/vault', { method: 'PUT', body, headers, from: '127.0.0.2' })
  expect([put.status, put.body.toString()]).toEqual([200, 'work'])
  const [part] = seen
  expect(part).toMatchObject({
    url: '/v1/vault',
    bytes: body.length,
    headers: { authorization: 'Bearer x', 'content-length': String(body.length), 'x-forwarded-for': '127.0.0.2' },
  })
  for (let turn = 0; turn < 2; turn++) await sendRequest(nginx.url, '/store/v1/bundles/x')
  expect(seen).toHaveLength(3)
})

test('nothing but its public routes, and no larger bodies', async () => {
  const before = seen.length
  for (const path of ['/store/metrics', '/store/v1/../metrics', '/store/v1/%2e%2e/readyz']) {
    expect((await sendRequest(nginx.url, path)).status, path).not.toBe(200)
  }
  const body = 'x'.repeat(6_000_000)
  const headers = { 'content-length': String(body.length) }
  const large = await sendRequest(nginx.url, '/store/v1/vault', { method: 'PUT', body, headers }).catch(() => null)
  expect(large?.status ?? 413).toBe(413)
  expect(seen).toHaveLength(before)
})

test('a store that is down is said to be down', async () => {
  await new Promise<void>((done) => {
    store.close(() => done())
    store.closeAllConnections()
  })
  const { status, headers, body } = await sendRequest(nginx.url, '/store/v1/store')
  expect([status, headers['cache-control']]).toEqual([502, 'no-store'])
  expect(JSON.parse(body.toString())).toMatchObject({ code: 'STORE_UNREACHABLE' })
})
