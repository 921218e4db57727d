import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { type BlockRef, ChainReadError, type MarketReader } from '@svc/chain'
import { apiRoutes } from '@svc/operations'
import { createClientResolver, version } from '@svc/serve'
import { afterEach, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../apps/api/src/database.ts'
import { createHealth } from '../../apps/api/src/health.ts'
import type { Watch } from '../../apps/api/src/reads/watch.ts'
import { type BareService, type BareServiceOptions, startBareService } from '../harness/bareService.ts'
import { createTestDatabase } from '../harness/postgres.ts'

const services: BareService[] = []
afterEach(async () => {
  await Promise.all(services.splice(0).map(({ close }) => close(100)))
})

async function start(options?: BareServiceOptions): Promise<BareService> {
  const service = await startBareService(options)
  services.push(service)
  return service
}

const parseLogLines = ({ lines }: BareService) => lines.map((line) => JSON.parse(line))

/** Sends raw bytes, and reads until the server closes the connection or answers. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.on('end', () => done(received))
    socket.on('error', (error) => (received ? done(received) : fail(error)))
  })
}

describe('every answer', () => {
  test("has a request id: the client's if it is a plain word, otherwise a new one", async () => {
    const { url } = await start()
    const readRequestId = async (given?: string) =>
      (await fetch(`${url}/healthz`, { headers: given ? { 'x-request-id': given } : {} })).headers.get('x-request-id')
    expect(await readRequestId('edge-1234.a_b')).toBe('edge-1234.a_b')
    for (const bad of [undefined, 'short', 'x'.repeat(65), 'with space and "quotes"']) {
      expect(await readRequestId(bad)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('logs one line with route, status and time, and neither query nor address', async () => {
    const service = await start()
    const wallet = '0x00000000000000000000000000000000000000aA'
    await fetch(`${service.url}/api/poster/tasks?address=${wallet}`, { headers: { 'x-request-id': 'one-line' } })
    await fetch(`${service.url}/${wallet}`)
    await fetch(`${service.url}/healthz`)
    expect(parseLogLines(service)).toMatchObject([
      { id: 'one-line', method: 'GET', route: '/api/poster/tasks', status: 503, ms: expect.any(Number) },
      { route: 'other', status: 404 },
    ])
    expect(service.lines.join('')).not.toMatch(/0x0000|127\.0\.0\.1/)
  })

  test.each(apiRoutes.map(({ path }) => path))(
    'of %s never allows credentials, and posts allow no foreign page',
    async (path) => {
      const { url } = await start()
      const headers = { origin: 'https://elsewhere.example', cookie: 'a=b' }
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']) {
        const answer = await fetch(url + path, { method, headers })
        expect(answer.headers.get('access-control-allow-credentials'), method).toBeNull()
        expect(answer.headers.get('x-content-type-options'), method).toBe('nosniff')
        expect(answer.headers.get('content-security-policy'), method).toContain("default-src 'none'")
        if (method === 'POST' || method === 'PUT') expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      }
      const isRead = apiRoutes.some((route) => route.path === path && route.method === 'get')
      const preflight = await fetch(url + path, { method: 'OPTIONS', headers })
      expect(preflight.status).toBe(isRead ? 204 : 405)
      expect(preflight.headers.get('access-control-allow-origin')).toBe(isRead ? '*' : null)
      if (isRead) expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
    },
  )

  test('to HEAD is the answer to GET without its body', async () => {
    const { url } = await start()
    const [got, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(`${url}/llms.txt`, { method })))
    expect(head?.status).toBe(200)
    expect(await head?.text()).toBe('')
    for (const name of ['content-type', 'cache-control', 'access-control-allow-origin', 'content-security-policy']) {
      expect(head?.headers.get(name), name).toBe(got?.headers.get(name))
    }
  })
})

test('an internal error is logged with the request id, and its answer has no details', async () => {
  const reader = new Proxy({} as MarketReader, {
    get: () => async () => {
      throw new Error('password=hunter22 at /home/me')
    },
  })
  const service = await start({ reader, secrets: ['hunter22'] })
  const answer = await fetch(`${service.url}/api/market/open`, { headers: { 'x-request-id': 'faulty-1' } })
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({ error: 'Internal error', code: 'INTERNAL' })
  const [fault] = parseLogLines(service)
  expect(fault).toMatchObject({ id: 'faulty-1', level: 50, err: { message: 'password=[secret] at /home/me' } })
  expect(service.lines.join('')).not.toContain('hunter22')
})

describe('a client', () => {
  test('over its limit must wait, learns how long, and can still be probed', async () => {
    const { url } = await start({ perMinute: { reads: 3, calls: 3 } })
    const statuses = []
    for (let index = 0; index < 5; index++) statuses.push((await fetch(`${url}/api/site-config`)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const refused = await fetch(`${url}/api/market/open`)
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' })
    expect(refused.headers.get('ratelimit-limit')).toBe('3')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(
      Number(refused.headers.get('ratelimit-reset')),
    )
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/api/posting/nothing`, { method: 'POST' })).status).toBe(429)
  })

  test('cannot set its own forwarded address, a trusted proxy can', async () => {
    const { url: strict } = await start({ perMinute: { reads: 1, calls: 1 } })
    const { url: trusting } = await start({
      perMinute: { reads: 1, calls: 1 },
      resolveClient: createClientResolver(['127.0.0.0/8']),
    })
    const ask = async (url: string, from: string) =>
      (await fetch(`${url}/api/site-config`, { headers: { 'x-forwarded-for': from } })).status
    expect([await ask(strict, '203.0.113.1'), await ask(strict, '203.0.113.2')]).toEqual([200, 429])
    expect([await ask(trusting, '203.0.113.1'), await ask(trusting, '203.0.113.2')]).toEqual([200, 200])
    // The client's own entries are to the left of the proxy's.
    expect(await ask(trusting, '198.51.100.7, 203.0.113.1')).toBe(429)
    // Some proxies append the port, which is another one for every connection.
    expect([await ask(trusting, '203.0.113.5:40001'), await ask(trusting, '203.0.113.5:40002')]).toEqual([200, 429])
    expect([await ask(trusting, '[2001:db8:7::1]:443'), await ask(trusting, '[2001:db8:8::1]:443')]).toEqual([200, 200])
    // One IPv6 customer has many addresses.
    expect([await ask(trusting, '2001:db8::1'), await ask(trusting, '2001:db8:0:0:ffff::9')]).toEqual([200, 429])
  })

  test.each([
    ['a URL without end', `GET /api/market/open?${'x'.repeat(5_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'URL_TOO_LONG'],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a Host that is none', 'GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'INVALID_REQUEST'],
  ])('with %s is refused in JSON', async (_, bytes, status, code) => {
    const { port } = await start()
    const answer = await raw(
      port,
      bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n').replace('hello\r\nConn', 'hello\r\nConn'),
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain(`"code":"${code}"`)
  })

  test('with a body that is too large is refused while it still sends, and the connection is closed', async () => {
    const { port } = await start()
    // No route accepts this much. Chat without a key does not read its body, so another route is used.
    const answer = await raw(
      port,
      `POST /api/role-chat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n${' '.repeat(300_000)}`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 503 /)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  })
})

test('requests above the concurrency limit are refused at once', async () => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const reader = new Proxy({} as MarketReader, {
    get: () => async () => {
      await held
      throw new ChainReadError('away', { retryable: true })
    },
  })
  const service = await start({ reader, maxInFlight: 2 })
  const waiting = [1, 2].map((limit) => fetch(`${service.url}/api/market/open?limit=${limit}`))
  await expect.poll(async () => await metric(service, 'svc_api_in_flight_requests')).toBe(2)
  const refused = await fetch(`${service.url}/api/market/open?limit=3`)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await refused.json()).toMatchObject({ code: 'BUSY' })
  release()
  for (const each of await Promise.all(waiting)) expect(each.status).toBe(503)
  await expect.poll(async () => await metric(service, 'svc_api_in_flight_requests')).toBe(0)
  expect(
    await metric(service, 'svc_api_request_seconds_count{method="GET",route="/api/market/open",status="503"}'),
  ).toBe(3)
})

async function metric({ url }: BareService, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

const block: BlockRef = { number: 100n, hash: '0xaa', timestamp: 1_000 }
const cursor = (number: bigint, halted: string | null = null) => ({
  ...block,
  number,
  digest: '0xdd' as const,
  version: '0xdd',
  entriesEnded: false,
  halted,
})

test.each<[string, Partial<Watch>, boolean, boolean, string[]]>([
  ['all is well', { head: () => block, indexed: () => cursor(100n) }, true, true, []],
  ['the index is behind', { head: () => block, indexed: () => cursor(10n) }, true, true, ['index']],
  ['the index is halted', { head: () => block, indexed: () => cursor(100n, 'x') }, true, true, ['index']],
  ['the database is away', { head: () => block, indexed: () => null }, false, true, ['database', 'index']],
  ['the chain is away', { head: () => null, indexed: () => cursor(100n) }, true, true, ['chain']],
  ['both are away', { head: () => null, indexed: () => null }, false, false, ['database', 'chain', 'index']],
  [
    'the chain is away and the index halted',
    { head: () => null, indexed: () => cursor(100n, 'x') },
    true,
    false,
    ['chain', 'index'],
  ],
])('readiness when %s', async (_, seen, hasDatabase, ready, behind) => {
  const watch: Watch = { indexed: () => null, head: () => null, changed: async () => {}, stop: async () => {}, ...seen }
  const health = createHealth({
    watch,
    ping: () => (hasDatabase ? Promise.resolve() : new Promise(() => {})),
    stopping: new AbortController().signal,
    listRefused: () => (watch.head() ? [] : ['provider 1 is refused: it is on chain 10.']),
    pingMs: 20,
    now: () => 1_007_000,
  })
  const found = await health()
  expect(found.chain.refused).toHaveLength(found.chain.reachable ? 0 : 1)
  expect(found).toMatchObject({
    ready,
    behind,
    database: { reachable: hasDatabase, reason: hasDatabase ? null : 'timeout' },
  })
  if (found.chain.reachable) expect(found.chain).toMatchObject({ block: 100, ageSeconds: 7 })
})

test.each([
  ['nothing listens', (url: URL) => Object.assign(url, { port: '1' }), 'connection refused'],
  ['the database does not exist', (url: URL) => Object.assign(url, { pathname: '/nowhere' }), 'unknown database'],
  ['the role does not exist', (url: URL) => Object.assign(url, { username: 'nobody_here' }), 'authentication failed'],
])('readiness says why the database is missing when %s, and nothing of its address', async (_, change, reason) => {
  const database = await createTestDatabase()
  const sql = connectDatabase(change(new URL(database.url)).href)
  try {
    const watch: Watch = { indexed: () => null, head: () => null, changed: async () => {}, stop: async () => {} }
    const found = await createHealth({ watch, ping: () => sql`select 1`, stopping: new AbortController().signal })()
    expect(found).toMatchObject({ version, database: { reachable: false, reason } })
    expect(JSON.stringify(found)).not.toMatch(/127\.0\.0\.1|localhost|nowhere|nobody_here/)
  } finally {
    await sql.end({ timeout: 1 })
    await database.drop()
  }
})

test('a replica that stops first reports it, then finishes its requests and closes connections', async () => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const reader = new Proxy({} as MarketReader, {
    get: () => async () => {
      await held
      throw new ChainReadError('away', { retryable: true })
    },
  })
  const watch: Watch = { head: () => block, indexed: () => null, changed: async () => {}, stop: async () => {} }
  const service = await start({ reader, watch })
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  const begun = fetch(`${service.url}/api/market/open`)
  await expect.poll(async () => metric(service, 'svc_api_in_flight_requests')).toBe(1)
  service.stopping.abort()
  const readiness = await fetch(`${service.url}/readyz`)
  expect(readiness.status).toBe(503)
  expect(await readiness.json()).toMatchObject({ ready: false, draining: true })
  expect(readiness.headers.get('connection')).toBe('close')
  const closed = service.close(5_000)
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
  release()
  const answer = await begun
  expect(answer.status).toBe(503)
  expect(answer.headers.get('connection')).toBe('close')
  await answer.arrayBuffer()
  await closed
})

test('a request that never ends does not prevent a replica from stopping', async () => {
  const service = await start()
  const request = httpRequest({
    port: service.port,
    method: 'POST',
    path: '/api/market/open',
    headers: { 'content-length': 10 },
  })
  request.on('error', () => {})
  request.write('{')
  await expect.poll(() => parseLogLines(service).length).toBe(1)
  const began = performance.now()
  await service.close(300)
  expect(performance.now() - began).toBeLessThan(2_000)
  request.destroy()
})
