import { request } from 'node:http'
import { connect } from 'node:net'
import type { BlockRef, MarketReader } from '@svc/chain'
import { afterEach, expect, test } from 'vitest'
import type { Watch } from '../../apps/api/src/reads/watch.ts'
import { type BareService, type BareServiceOptions, startBareService } from '../harness/bareService.ts'

const block: BlockRef = { number: 7n, hash: `0x${'07'.repeat(32)}`, timestamp: 1_800_000_000 }
const watch: Watch = {
  head: () => block,
  indexed: () => ({ ...block, digest: '0xdd', version: '0xdd', halted: null, entriesEnded: false }),
  changed: async () => {},
  stop: async () => {},
}
/** A fake reader with one page and one wallet. */
const reader = {
  listAsText: async () => ({ text: '{"id":"v2:standard:1"}', marks: Buffer.alloc(16, 1), next: null, block }),
  getTask: async () => ({ detail: null, block }),
  getTaskSummary: async () => ({ detail: null, block }),
  getUnion: async () => {
    throw new Error('a fault')
  },
} as unknown as MarketReader

const services: BareService[] = []
afterEach(async () => {
  await Promise.all(services.splice(0).map(({ close }) => close(100)))
})

async function start(options: BareServiceOptions = {}): Promise<BareService> {
  const service = await startBareService({ reader, watch, ...options })
  services.push(service)
  return service
}

const etag = async ({ url }: BareService) => (await fetch(`${url}/api/market/open`)).headers.get('etag') ?? ''

/** Everything a client sees except the time. An upper-case host forces a request onto the long path. */
async function ask({ port }: BareService, way: 'quick' | 'long', path: string, headers: Record<string, string> = {}) {
  const host = way === 'quick' ? `localhost:${port}` : `LOCALHOST:${port}`
  const sent = request({ port, path, headers: { 'x-request-id': 'the-same-id', ...headers, host } }).end()
  const answer = await new Promise<import('node:http').IncomingMessage>((done, fail) =>
    sent.once('response', done).once('error', fail),
  )
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  const { date: _, 'ratelimit-remaining': __, 'ratelimit-reset': ___, 'retry-after': ____, ...rest } = answer.headers
  return { status: answer.statusCode, headers: rest, body: Buffer.concat(parts).toString() }
}

const asked: [path: string, status: number][] = [
  ['/api/market/open', 200],
  ['/api/market/open?limit=3&market=micro', 200],
  ['/api/market/open?limit=0', 400],
  ['/api/market/open?limit=1&limit=2', 400],
  ['/api/market/open?cursor=..', 400],
  ['/api/market/task?id=v2:micro:9', 404],
  ['/api/union/overview', 500],
  ['/api/poster/tasks', 400],
]

test.each(asked)('%s is answered %i, the same both ways', async (path, status) => {
  const service = await start()
  // Uncached, then cached, then cached as bytes.
  for (const turn of [1, 2, 3]) {
    const [quick, long] = [await ask(service, 'quick', path), await ask(service, 'long', path)]
    expect(quick, `turn ${turn}`).toEqual(long)
    expect(quick.status).toBe(status)
  }
  const lines = service.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(lines).toHaveLength(6)
  expect(new Set(lines.map(({ id, method, route, status }) => `${id} ${method} ${route} ${status}`)).size).toBe(1)
})

test('content that the client has is not sent again, on both paths', async () => {
  const service = await start()
  const known = await etag(service)
  for (const given of [known, '*', `"other", ${known}`, '"other"']) {
    const headers = { 'if-none-match': given }
    const quick = await ask(service, 'quick', '/api/market/open', headers)
    expect(quick).toEqual(await ask(service, 'long', '/api/market/open', headers))
    expect(quick.status).toBe(given === '"other"' ? 200 : 304)
  }
})

test('both paths count against one rate limit', async () => {
  const service = await start({ perMinute: { reads: 2, calls: 2 } })
  const answers = []
  for (const way of ['quick', 'long', 'quick', 'long'] as const)
    answers.push(await ask(service, way, '/api/market/open'))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  expect(answers[2]).toEqual(answers[3])
})

test('a connection ends with its answer while the replica stops', async () => {
  const service = await start()
  service.stopping.abort()
  const quick = await ask(service, 'quick', '/api/market/open', { connection: 'keep-alive' })
  expect(quick.headers.connection).toBe('close')
})

test.each(['Transfer-Encoding: chunked', 'Content-Length: 4'])(
  'a GET that announces a body (%s) is answered once, whatever follows',
  async (header) => {
    const { port } = await start()
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(`GET /api/market/open?limit=0 HTTP/1.1\r\nHost: localhost:${port}\r\n${header}\r\n\r\n`)
    let text = ''
    socket.on('data', (chunk) => {
      // The rest follows once the answer is sent.
      if (text === '') socket.write('ZZ\r\n\r\nno HTTP at all\r\n\r\n')
      text += chunk
    })
    await new Promise((closed) => socket.once('close', closed))
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 400'])
  },
)
