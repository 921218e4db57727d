import { readdir, readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { accounts, createScene } from '@svc/devnet'
import { apiRoutes, type Route, streamLimits } from '@svc/operations'
import { buildExampleRequest, createClientResolver } from '@svc/serve'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDocuments } from '../../apps/api/src/contract/documents.ts'
import { listExamples } from '../../apps/api/src/contract/examples.ts'
import { type Nginx, startNginx } from '../harness/nginx.ts'
import { fillWithPosters, postTask } from '../harness/posters.ts'
import { type SiteStack, startSite } from '../harness/site.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { type RawResponse, type RequestOptions, sendRequest } from './sendRequest.ts'

let stack: SiteStack
let recorders: Recorder[]
let nginx: Nginx
beforeAll(async () => {
  stack = await startSite({ fill: fillWithPosters }, { resolveClient: createClientResolver(['127.0.0.1']) })
  recorders = [await startRecorder(stack.url), await startRecorder(stack.url)]
  nginx = await startNginx(recorders.map(({ port }) => port))
  await postTask(createScene(stack.world.devnet.client, stack.world.devnet.deployments, 'standard'), accounts.ada)
  await stack.service.caughtUp()
})
afterAll(async () => {
  await nginx?.stop()
  await Promise.all((recorders ?? []).map(({ close }) => close()))
  await stack?.stop()
})
beforeEach(waitForReplicas)

const [alice, bob] = ['127.0.0.1', '127.0.0.2']
const edge = (path: string, options?: RequestOptions) => sendRequest(nginx.url, path, options)
const recorded = () => recorders.flatMap((recorder) => recorder.requests)
const isCached = ({ headers }: RawResponse) => /^(?:HIT|STALE|UPDATING)$/.test(String(headers['x-cache']))
const alterAll = (alter: Recorder['alter']) => {
  for (const recorder of recorders) recorder.alter = alter
}

/** Waits until nginx uses every replica again. It skips one that failed for a second or two. */
async function waitForReplicas(): Promise<void> {
  const forget = () => {
    for (const recorder of recorders) recorder.requests.length = 0
  }
  for (let look = 0; look < 100; look++) {
    forget()
    for (let turn = 0; turn < 4; turn++) await edge('/healthz')
    const areUsed = recorders.every(({ requests }) => requests.length > 0)
    forget()
    if (areUsed) return
    await wait(100)
  }
  expect.unreachable('nginx has given a replica up')
}

let fresh = 20
/** The path of a list that was not requested yet. */
const createUnusedPath = () => `/api/market/open?limit=${++fresh}`

/** All example requests of the service, and requests outside its table. */
function everything(): { url: string; body: string | null; isPublic: boolean }[] {
  const ofRoutes = apiRoutes.flatMap((route: Route) =>
    listExamples(route).map((example) => ({
      ...buildExampleRequest(route, example),
      isPublic: route.operation.kind === 'read',
    })),
  )
  const documents = createDocuments().map(({ path }) => ({ url: path, body: null, isPublic: true }))
  const others = [
    '/',
    '/tasks',
    '/healthz',
    '/nothing',
    '/api/market/task?id=v2:standard:999',
    '/api/market/open?limit=0',
  ]
  return [...ofRoutes, ...documents, ...others.map((url) => ({ url, body: null, isPublic: false }))]
}

test('caches every public response; everything else always reaches a replica and is stored nowhere', async () => {
  expect(apiRoutes.filter((route) => listExamples(route).length === 0)).toEqual([])
  const page = (await edge('/', { headers: { accept: 'text/html' } })).body.toString()
  const [, file = ''] = /src="(\/assets\/[^"]+)"/.exec(page) ?? []
  expect(file).not.toBe('')
  const wrong: string[] = []
  for (const { url, body, isPublic } of [...everything(), { url: file, body: null, isPublic: true }]) {
    const method = body === null ? 'GET' : 'POST'
    const before = recorded().length
    const answers = [await edge(url, { method, body, from: alice }), await edge(url, { method, body, from: bob })]
    const [first, second] = answers
    const isGood = first?.status === 200
    const times = recorded().length - before
    const said = answers.map(({ status, headers }) => `${status} ${headers['cache-control']} ${headers['x-cache']}`)
    const mayKeep = isPublic && isGood
    const isRight = mayKeep
      ? second && isCached(second) && second.body.equals(first.body)
      : times === 2 && answers.every(({ headers }) => /^no-(?:store|cache)$/.test(String(headers['cache-control'])))
    if (!isRight) wrong.push(`${method} ${url}: ${times} times, ${said}`)
  }
  expect(wrong).toEqual([])
  const lying = await keysIn(join(nginx.folder, 'cache'))
  const may = [
    ...apiRoutes.filter(({ operation }) => operation.kind === 'read').map(({ path }) => path),
    ...createDocuments().map(({ path }) => path),
  ]
  expect(lying.length).toBeGreaterThan(may.length - 1)
  for (const key of lying) {
    const [path = ''] = key.replace(/^gzip/, '').split('?')
    expect(may.includes(path as never) || path.startsWith('/assets/'), key).toBe(true)
  }
})

test('each wallet gets its own response, however the request is written', async () => {
  const [a, b] = [accounts.ada.address, accounts.bruno.address]
  const gets = apiRoutes.filter((route) => route.method === 'get')
  const ofWallets = gets.filter((route) => listExamples(route).some(({ input }) => 'address' in input))
  expect(ofWallets.length).toBeGreaterThan(4)
  for (const route of ofWallets) {
    const [example] = listExamples(route)
    const buildPath = (address: string) => buildExampleRequest(route, { input: { ...example?.input, address } }).url
    const spellings = (address: string) => [
      buildPath(address),
      buildPath(address.toLowerCase()),
      `${buildPath(address)}&address=${address}`,
      buildPath(address).replace('/api/', '/api/./'),
      buildPath(address).replace('/api/', '/%61pi/'),
    ]
    for (let index = 0; index < 5; index++) {
      const [ofA, ofB] = await Promise.all([
        edge(spellings(a)[index] ?? '', { from: alice }),
        edge(spellings(b)[index] ?? '', { from: bob }),
      ])
      for (const [{ body }, other] of [
        [ofA, b],
        [ofB, a],
      ] as const)
        expect(body.toString().toLowerCase(), route.path).not.toContain(other.toLowerCase())
    }
  }
  const check = (address: string) =>
    edge('/api/posting/check', { method: 'POST', body: JSON.stringify({ address, market: 'micro' }) })
  for (const address of [a, b, a]) expect(JSON.parse((await check(address)).body.toString())).toMatchObject({ address })
})

test('for a cached response, the replica sees nothing of the request but its URL', async () => {
  const path = createUnusedPath()
  const hostile = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-proto': 'gopher',
    'x-original-url': '/metrics',
    'x-rewrite-url': '/metrics',
    'x-http-method-override': 'POST',
    'x-request-id': 'chosen-by-a-client',
    accept: 'text/html',
    'accept-language': 'xx',
    'accept-encoding': 'br;q=1.0, zstd',
    authorization: 'Bearer secret',
    cookie: 'session=secret',
    origin: 'https://evil.example',
    range: 'bytes=0-9',
    'if-none-match': '*',
    'cache-control': 'only-if-cached',
    'last-event-id': '1:1',
  }
  await edge(path, { headers: hostile })
  const [{ headers } = { headers: {} }] = recorded()
  expect(Object.keys(headers).toSorted()).toEqual(['accept', 'host', 'x-forwarded-for', 'x-request-id'])
  expect(headers).toMatchObject({ host: 'edge', accept: 'application/json', 'x-forwarded-for': '127.0.0.1' })
  const [cached, straight] = [await edge(path), await sendRequest(stack.url, path)]
  expect(isCached(cached)).toBe(true)
  expect([cached.status, cached.body.toString()]).toEqual([200, straight.body.toString()])
  expect(cached.headers['x-request-id']).not.toBe('chosen-by-a-client')
  expect(recorded()).toHaveLength(1)
})

test('every client gets the right bytes: compressed or not, GET, HEAD or 304', async () => {
  const path = '/openapi.yaml'
  const packed = await edge(path, { headers: { 'accept-encoding': 'gzip, br' } })
  const [plain, refused] = [await edge(path), await edge(path, { headers: { 'accept-encoding': 'gzip;q=0' } })]
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
  expect(packed.body.length).toBeLessThan(plain.body.length / 3)
  expect([plain.headers['content-encoding'], refused.headers['content-encoding']]).toEqual([undefined, undefined])
  for (const { headers } of [packed, plain]) expect(headers.vary).toBe('Accept-Encoding')

  const list = createUnusedPath()
  const head = await edge(list, { method: 'HEAD' })
  const whole = await edge(list)
  expect([head.body.length, isCached(whole)]).toEqual([0, true])
  expect(head.headers.etag).toBe(whole.headers.etag)
  const same = await edge(list, { headers: { 'if-none-match': String(whole.headers.etag) } })
  expect([same.status, same.body.length]).toEqual([304, 0])
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await edge(list, { method, body: '{}' })).status).toBe(405)
  expect((await edge(list, { method: 'OPTIONS' })).status).toBe(204)
})

test('concurrent requests for one URL are one request to a replica; a change is visible soon after', async () => {
  const path = createUnusedPath()
  const crowd = await Promise.all(Array.from({ length: 40 }, () => edge(path)))
  expect(new Set(crowd.map(({ body }) => body.toString())).size).toBe(1)
  expect(recorded()).toHaveLength(1)
  const { client, deployments } = stack.world.devnet
  const { taskId } = await postTask(createScene(client, deployments, 'standard'), accounts.bruno)
  await stack.service.caughtUp()
  const began = Date.now()
  while (!(await edge(path)).body.includes(taskId)) {
    expect(Date.now() - began).toBeLessThan(6_000)
    await wait(100)
  }
})

test('a response is served stale only as long as it allows, whether replicas respond or not', async () => {
  const control = { 'cache-control': 'public, s-maxage=1, stale-while-revalidate=2, stale-if-error=4' }
  const [lone, hot, packed] = [createUnusedPath(), createUnusedPath(), createUnusedPath()]
  const gzip = { headers: { 'accept-encoding': 'gzip' } }
  alterAll(() => control)
  await Promise.all([edge(lone), edge(hot), edge(packed, gzip)])
  await wait(4_200)
  // Too old to be served stale while a replica responds.
  expect((await edge(lone)).headers['x-cache']).toBe('EXPIRED')
  await Promise.all([edge(hot), edge(packed, gzip)])
  await Promise.all(recorders.map(({ close }) => close()))
  try {
    // nginx counts in whole seconds.
    await wait(2_200)
    for (const each of [await edge(hot), await edge(packed, gzip)])
      expect([each.status, each.headers['x-cache']]).toEqual([200, 'STALE'])
    for (const path of [createUnusedPath(), '/api/site-config', '/']) {
      const { status, headers, body } = await edge(path)
      expect([status, headers['cache-control'], headers['retry-after']], path).toEqual([503, 'no-store', '1'])
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'BUSY' })
    }
    await wait(5_000)
    for (const each of [await edge(hot), await edge(packed, gzip)]) expect(each.status).toBe(503)
  } finally {
    alterAll(() => ({}))
    await Promise.all(recorders.map(({ open }) => open()))
  }
  await waitForReplicas()
  expect((await edge(hot)).status).toBe(200)
})

test('does not cache a response that is private, sets a cookie or has no Cache-Control', async () => {
  const ways: Record<string, string | null>[] = [
    { 'cache-control': 'private, max-age=60' },
    { 'cache-control': 'no-store' },
    { 'cache-control': null },
    { 'cache-control': 'public, s-maxage=60', 'set-cookie': 'session=secret' },
  ]
  for (const way of ways) {
    const path = createUnusedPath()
    alterAll(() => way)
    await edge(path)
    await edge(path)
    alterAll(() => ({}))
    expect(
      recorded().filter(({ url }) => url === path),
      JSON.stringify(way),
    ).toHaveLength(2)
  }
})

test('retries reads, and a POST only if it could not be sent', async () => {
  const body = JSON.stringify({ address: accounts.ada.address, market: 'micro' })
  const check = () => edge('/api/posting/check', { method: 'POST', body })
  for (const recorder of recorders) recorder.cuts = true
  try {
    expect((await check()).status).toBe(503)
    expect(recorded()).toHaveLength(1)
  } finally {
    for (const recorder of recorders) recorder.cuts = false
  }
  await waitForReplicas()
  for (const recorder of recorders) recorder.cuts = true
  try {
    expect((await edge(createUnusedPath())).status).toBe(503)
    expect(recorded()).toHaveLength(2)
  } finally {
    for (const recorder of recorders) recorder.cuts = false
  }
  await waitForReplicas()
  await recorders[0]?.close()
  try {
    for (let turn = 0; turn < 4; turn++) expect((await check()).status).toBe(200)
  } finally {
    await recorders[0]?.open()
  }
})

test('metrics and readiness are not public, however the path is written', async () => {
  const spellings = [
    '/metrics',
    '/readyz',
    '//metrics',
    '/./readyz',
    '/x/../metrics',
    '/%6detrics',
    '/metrics?x=1',
    '/readyz#x',
  ]
  for (const path of [...spellings, 'http://evil.example/metrics']) {
    const { status, body } = await edge(path)
    expect([status, JSON.parse(body.toString()).code], path).toEqual([404, 'NOT_FOUND'])
  }
  expect(recorded()).toEqual([])
  for (const path of ['/metrics/', '/metrics%2f', '/%256detrics', '/METRICS', '/metrics;a'])
    expect((await edge(path)).body.toString(), path).not.toContain('svc_api_')
})

test('an event stream is forwarded as it happens, to its client only', async () => {
  const path = '/api/market/events?cursor=0:0'
  const listen = async (from: string) => {
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(nginx.url + path, {
      headers: { accept: 'text/event-stream', 'last-event-id': from },
      signal,
    })
    const { value } = (await response.body?.getReader().read()) ?? {}
    return { type: response.headers.get('content-type'), text: Buffer.from(value ?? []).toString() }
  }
  const first = await listen('0:0')
  expect(first.type).toContain('text/event-stream')
  const [, id = ''] = /id: (\d+:\d+)/.exec(first.text) ?? []
  const second = await listen(id)
  expect(second.text).not.toContain(`id: ${id}\n`)
  expect(recorded().map(({ headers }) => headers['last-event-id'])).toEqual(expect.arrayContaining(['0:0', id]))
  expect(JSON.parse((await edge(path)).body.toString())).toMatchObject({ meta: { market: 'standard' } })
})

test('a client that opens all streams it can leaves room for others, and pages are not counted', async () => {
  const all = new AbortController()
  const open = (from: string) =>
    new Promise<IncomingMessage>((done, fail) => {
      const { hostname, port } = new URL(nginx.url)
      const path = '/api/market/events?cursor=0:0'
      const headers = { accept: 'text/event-stream' }
      const options = { hostname, port, path, headers, localAddress: from, agent: false, signal: all.signal }
      get(options, done).on('error', fail)
    })
  const [greedy, other] = ['127.0.8.1', '127.0.9.1']
  const count = streamLimits.openPerClient
  const taken = await Promise.all(Array.from({ length: count + 5 }, () => open(greedy)))
  expect(taken.filter(({ statusCode }) => statusCode === 200)).toHaveLength(count)
  const refused = taken.filter(({ statusCode }) => statusCode === 429)
  expect(refused).toHaveLength(5)
  expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(refused.map(() => '5'))
  expect(JSON.parse(String(await refused[0]?.reduce((text, part) => text + part, '')))).toMatchObject({
    code: 'RATE_LIMITED',
  })
  expect((await open(other)).statusCode, 'another network').toBe(200)
  expect((await edge('/api/market/events?cursor=0:0', { from: greedy })).status, 'a page').toBe(200)
  // Who leaves makes room.
  taken.find(({ statusCode }) => statusCode === 200)?.destroy()
  await expect.poll(async () => (await open(greedy)).statusCode, { timeout: 10_000 }).toBe(200)
  all.abort()
})

/** Lists the keys of all responses in a cache. */
async function keysIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const [, key = ''] = /\nKEY: (.*)\n/.exec(await readFile(join(parentPath, name), 'latin1')) ?? []
      return key
    }),
  )
}
