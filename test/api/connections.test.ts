import { type IncomingMessage, request } from 'node:http'
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
/** A fake reader with one page. */
const reader = {
  listAsText: async () => ({ text: '{"id":"v2:standard:1"}', marks: Buffer.alloc(16, 1), next: null, block }),
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

test.each(['*', '"other", <etag>', '<etag>', '"other"'])(
  'If-None-Match %s, uncached, cached, and as bytes',
  async (given) => {
    const { url } = await start()
    const known = (await fetch(`${url}/api/market/open`)).headers.get('etag') ?? ''
    const headers = { 'if-none-match': given.replace('<etag>', known) }
    const asked = ['?limit=3', '', '', ''].map((query) => fetch(`${url}/api/market/open${query}`, { headers }))
    const expected = given === '"other"' ? 200 : 304
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => expected))
  },
)

test('a connection ends with its answer while the replica stops', async () => {
  const { port, stopping } = await start()
  stopping.abort()
  const sent = request({ port, path: '/api/market/open', headers: { connection: 'keep-alive' } }).end()
  const answer = await new Promise<IncomingMessage>((done, fail) => sent.once('response', done).once('error', fail))
  answer.resume()
  expect(answer.headers.connection).toBe('close')
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
