import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ApiError, apiEndpoints, createClient, type EventJson, followEvents, type StreamMessage } from '@svc/client'
import { expect, test } from 'vitest'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const event: EventJson = {
  event: 'TaskPosted',
  contract: 'taskRegistry',
  taskId: 'v2:micro:1',
  args: { title: 'Zwölf: „Äpfel“\\n\\n' },
  bundle: null,
  blockNumber: 7,
  logIndex: 1,
  timestamp: 1_800_000_000,
  transactionHash: `0x${'a'.repeat(64)}`,
}
const message = (id: string) => `data: ${JSON.stringify(event)}\nid: ${id}\n\n`

/** Follows an API that answers with these in turn; what it was asked for, and what was heard until the last ended. */
async function follow(answers: readonly (Response | Error)[]) {
  const stop = new AbortController()
  const [asked, heard]: [(string | null)[], StreamMessage[]] = [[], []]
  const fetch = async (request: Request) => {
    const answer = answers[asked.push(request.headers.get('last-event-id')) - 1]
    if (!answer) stop.abort()
    if (!answer || answer instanceof Error) throw answer ?? new Error('over')
    return answer
  }
  const options = {
    baseUrl: 'http://api',
    market: 'micro',
    after: '5:0',
    signal: stop.signal,
    fetch,
    retryMs: 1,
  } as const
  for await (const message of followEvents(options)) heard.push(message)
  return { asked, heard }
}

/** A stream that arrives in chunks of `size` bytes. */
function createStream(text: string, size: number): Response {
  const bytes = new TextEncoder().encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  )
  return new Response(ReadableStream.from(pieces))
}

test.each([1, 2, 3, 7, 10_000])('messages are the same when %i bytes come at a time', async (size) => {
  const stream = `:\n\n${message('7:1')}event: reorg\ndata: {"after":"6:0"}\nid: 6:0\n\n:\n\n${message('7:2')}event: lost\ndata: {}\nid: 9:0\n\n`
  const { asked, heard } = await follow([createStream(stream, size)])
  expect(asked).toEqual(['5:0', '9:0'])
  expect(heard).toEqual([
    { kind: 'event', id: '7:1', event },
    { kind: 'reorg', id: '6:0' },
    { kind: 'event', id: '7:2', event },
    { kind: 'lost', id: '9:0' },
  ])
})

test('a stream that breaks off is taken up after the last whole message', async () => {
  const half = message('7:2').slice(0, 40)
  const away = new Response('{"error":"Later","code":"BUSY"}', { status: 503 })
  const { asked, heard } = await follow([
    createStream(message('7:1') + half, 9),
    new Error('refused'),
    away,
    createStream(message('7:2'), 50),
  ])
  expect(asked).toEqual(['5:0', '7:1', '7:1', '7:1', '7:2'])
  expect(heard.map(({ id }) => id)).toEqual(['7:1', '7:2'])
})

test('waits as long as the API asks, and longer with every failure otherwise', async () => {
  const refuse = (status: number, retryAfter?: string) =>
    new Response('{"error":"Later","code":"BUSY"}', {
      status,
      headers: retryAfter ? { 'retry-after': retryAfter } : {},
    })
  const waits: number[] = []
  const stop = new AbortController()
  const soon = new Date(Date.now() + 3_000).toUTCString()
  const answers = [refuse(503, soon), refuse(429, '1'), refuse(502), refuse(408)]
  const failed = answers.length
  const options = { baseUrl: 'http://api', market: 'micro', after: '5:0', retryMs: 40 } as const
  const onInterrupt = ({ waitMs }: { waitMs: number }) => {
    if (waits.push(waitMs) === failed) stop.abort()
  }
  const fetch = async () => answers.shift() ?? refuse(500)
  for await (const each of followEvents({ ...options, fetch, signal: stop.signal, onInterrupt }))
    expect.unreachable(each.id)
  const [dated = 0, limited = 0, third = 0, fourth = 0] = waits
  expect(limited).toBeGreaterThanOrEqual(1_000)
  expect(limited).toBeLessThan(1_300)
  expect(dated).toBeGreaterThanOrEqual(1_000)
  expect(third).toBeGreaterThanOrEqual(80)
  expect(third).toBeLessThanOrEqual(160)
  expect(fourth).toBeGreaterThanOrEqual(160)
  expect(fourth).toBeLessThanOrEqual(320)
})

test('a stream on which nothing arrives is left, however slow its reader is', async () => {
  const stop = new AbortController()
  const reasons: string[] = []
  let opened = 0
  const quiet = () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from(message('7:1'))) }))
  const fetch = async (request: Request) => {
    opened++
    if (request.headers.get('last-event-id') === '5:0') return quiet()
    return opened === 2 ? new Promise<Response>(() => {}) : createStream(message('7:2'), 10)
  }
  const onInterrupt = ({ error }: { error: Error }) => reasons.push(error.message)
  const options = { baseUrl: 'http://api', market: 'micro', after: '5:0', retryMs: 1, silenceMs: 100 } as const
  const heard: string[] = []
  for await (const { id } of followEvents({ ...options, fetch, signal: stop.signal, onInterrupt })) {
    heard.push(id)
    // Longer than the silence that ends a stream.
    if (id === '7:1') await new Promise((done) => setTimeout(done, 200))
    if (id === '7:2') break
  }
  expect(heard).toEqual(['7:1', '7:2'])
  expect(reasons).toEqual(['The stream was silent for 100 ms.', 'The stream was silent for 100 ms.'])
})

test('what the API refuses for good is thrown', async () => {
  const refusal = new Response('{"error":"No such cursor.","code":"INVALID_CURSOR"}', { status: 400 })
  const error = await follow([refusal]).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 400, code: 'INVALID_CURSOR', message: 'No such cursor.' })
})

test('a message without an end is not kept for ever', async () => {
  const { heard } = await follow([
    createStream(`data: ${'x'.repeat(1_100_000)}`, 65_536),
    createStream(message('7:1'), 100),
  ])
  expect(heard).toHaveLength(1)
})

test('who leaves ends the stream, by leaving or by the signal', async () => {
  for (const leave of ['break', 'signal']) {
    let isOpen = true
    const stop = new AbortController()
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(message('7:1'))
      response.once('close', () => {
        isOpen = false
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for await (const { kind } of followEvents({ baseUrl, market: 'micro', after: '5:0', signal: stop.signal })) {
      expect(kind).toBe('event')
      collectGarbage()
      if (leave === 'break') break
      stop.abort()
    }
    await expect.poll(() => isOpen).toBe(false)
    server.close()
  }
})

test('an API that says nothing is left after the timeout, also when memory was swept meanwhile', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asking = createClient(apiEndpoints, { baseUrl, timeoutMs: 300 }).getSiteConfig({ market: 'micro' })
  const sweeping = setInterval(collectGarbage, 20)
  await expect(asking).rejects.toThrow(/timeout/)
  clearInterval(sweeping)
  server.closeAllConnections()
  server.close()
})
