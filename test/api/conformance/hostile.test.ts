// Faults that `chaos/api` found, one test each.
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listEvents } from '../../../packages/chain/src/reads/listEvents.ts'
import { type BareService, startBareService } from '../../harness/bareService.ts'

let service: BareService
beforeAll(async () => {
  service = await startBareService({ perMinute: { reads: 1_000, calls: 1 } })
})
afterAll(() => service?.close(100))

/** Everything the server answers to these bytes before it closes the connection. */
function say(bytes: string): Promise<string> {
  return new Promise((done, fail) => {
    let text = ''
    const socket = connect(service.port, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(5_000, () => fail(new Error(`still open after: ${text}`)))
    socket.on('data', (data) => {
      text += data
    })
    socket.on('close', () => done(text))
    socket.on('error', () => {})
  })
}

const answers = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? []

test('a request without a Host is refused with our error format', async () => {
  const text = await say('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('"code":"INVALID_REQUEST"')
})

test('an unknown Expect header is refused with our error format', async () => {
  const text = await say('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\nConnection: close\r\n\r\n')
  expect(text).toMatch(/^HTTP\/1\.1 417 /)
  expect(text).toContain('"code":"EXPECTATION_FAILED"')
})

test('an invalid chunked body gets exactly one answer', async () => {
  for (let time = 0; time < 20; time++) {
    const text = await say('GET /llms.txt HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\nxx\r\n\r\n')
    expect(answers(text).length).toBeLessThanOrEqual(1)
  }
})

test('an escaped path does not evade the rate limit of calls', async () => {
  const ask = (path: string) => fetch(`${service.url}${path}`, { method: 'POST' })
  await ask('/api/posting/check')
  expect((await ask('/api/posting/check')).status).toBe(429)
  expect((await ask('/%61pi/posting/check')).status).toBe(429)
})

test('a cursor beyond the head is an empty page, also from the chain', async () => {
  const provider = new Proxy({} as Parameters<typeof listEvents>[0], {
    get: () => {
      throw new Error('the chain was asked')
    },
  })
  const after = { block: 999_999_999_999_999n, logIndex: 0 }
  const head = { number: 7n, hash: `0x${'0'.repeat(64)}`, timestamp: 1 } as const
  const page = await listEvents(provider, {} as never, { limit: 10, after }, head, 0n)
  expect(page).toEqual({ events: [], next: after })
})

test('a stream that cannot be read ends, and leaks no internals', async () => {
  const logged = vi.spyOn(console, 'error')
  const response = await fetch(`${service.url}/api/market/events`, { headers: { accept: 'text/event-stream' } })
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
  expect(logged).not.toHaveBeenCalled()
})
