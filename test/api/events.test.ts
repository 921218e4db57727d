import { setTimeout } from 'node:timers/promises'
import { apiEndpoints, createClient, type EventJson } from '@svc/client'
import { accounts, createScene, sendPost } from '@svc/devnet'
import { parseStreamId, streamData } from '@svc/operations'
import { parseClientAddress, type ResolveClient } from '@svc/serve'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startServedWorld } from '../harness/served.ts'
import { startService } from '../harness/service.ts'
import { startForTests } from '../harness/startForTests.ts'

const served = startForTests(startServedWorld, 'stop')

interface Message {
  event?: string
  id?: string
  data: string
}

const messageData = new Map<string, z.core.$ZodType>(Object.entries(streamData))

/** Reads the messages of a stream one by one. `stop` disconnects. */
function listen(headers: Record<string, string> = {}, query = 'market=micro') {
  const leave = new AbortController()
  const messages = read()
  return { next: async () => (await messages.next()).value as Message, stop: () => leave.abort() }

  async function* read(): AsyncGenerator<Message> {
    const response = await served.service.app.request(`/api/market/events?${query}`, {
      headers: { accept: 'text/event-stream', ...headers },
      signal: leave.signal,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const fields = Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s, 2)))
        if (!fields.data) continue
        const { event = 'message', data }: Message = { data: '', ...fields }
        expect(z.safeParse(messageData.get(event) ?? z.never(), JSON.parse(data)).error?.issues ?? [], event).toEqual(
          [],
        )
        yield { ...fields, data }
      }
    }
  }
}

const soon = { text: 'Soon\n\nA task.', amounts: [10n ** 18n], duration: 3_600, poster: accounts.bruno }

test('pages from the start are the whole history, and a cursor continues where the last page ended', async () => {
  const client = createClient(apiEndpoints, {
    baseUrl: 'http://api',
    fetch: (request) => served.service.app.request(request),
  })
  const places: string[] = []
  let cursor = '0:0'
  for (;;) {
    const { body } = await client.listEvents({ market: 'micro', limit: 100, cursor })
    if (body.events.length === 0) break
    places.push(...body.events.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`))
    cursor = body.meta.nextCursor ?? ''
  }
  const [row] = await served.world.sql`select count(*)::int as count from market.event where market = 1`
  expect(new Set(places).size).toBe(row?.count)
  const { body: newest } = await client.listEvents({ market: 'micro', limit: 3 })
  expect(newest.events.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`)).toEqual(places.slice(-3))
})

test('a stream sends events, reports reorganisations, and can be resumed', async () => {
  const scene = createScene(served.world.devnet.client, served.world.devnet.deployments, 'micro')
  const { body } = await createClient(apiEndpoints, {
    baseUrl: 'http://api',
    fetch: (request) => served.service.app.request(request),
  }).listEvents({ market: 'micro', limit: 2 })
  const stream = listen({ 'last-event-id': `${body.events[0]?.blockNumber}:${body.events[0]?.logIndex}` })
  const last = await stream.next()
  expect(JSON.parse(last.data)).toEqual(body.events[1])

  const snapshot = await served.world.devnet.client.snapshot()
  const job = await sendPost(scene, soon)
  const received: Message[] = []
  while (!received.some(({ data }) => JSON.parse(data).event === 'TaskPosted')) received.push(await stream.next())
  expect(received.map(({ data }) => JSON.parse(data).taskId)).toContain(`v2:micro:${job.id}`)

  await served.world.devnet.client.revert({ id: snapshot })
  await served.world.devnet.client.mine({ blocks: 3 })
  let message = await stream.next()
  while (message.event !== 'reorg') message = await stream.next()
  expect(JSON.parse(message.data)).toEqual({ after: last.id })
  stream.stop()

  const again = listen({ 'last-event-id': last.id ?? '' })
  const other = await sendPost(scene, { ...soon, text: 'Other\n\nAnother task.' })
  const first = await again.next()
  expect(JSON.parse(first.data).blockNumber).toBeGreaterThan(Number(last.id?.split(':')[0]))
  expect(other.id).toBe(job.id)
  again.stop()
})

test('a stream that is resumed at a removed event reports the reorganisation and continues', async () => {
  const scene = createScene(served.world.devnet.client, served.world.devnet.deployments, 'micro')
  const snapshot = await served.world.devnet.client.snapshot()
  const { number } = await served.world.devnet.client.getBlock()
  const first = listen({ 'last-event-id': `${number}:1000` })
  await sendPost(scene, soon)
  let seen = await first.next()
  while (JSON.parse(seen.data).event !== 'TaskPosted') seen = await first.next()
  first.stop()

  await served.world.devnet.client.revert({ id: snapshot })
  // The new branch has an event at the same position.
  await sendPost(scene, { ...soon, text: 'Instead\n\nAnother task.' })
  await served.world.devnet.client.mine({ blocks: 10 })
  await served.service.caughtUp()
  const again = listen({ 'last-event-id': seen.id ?? '' })
  const lost = await again.next()
  expect(lost.event).toBe('lost')
  const { block, logIndex } = parseStreamId(lost.id ?? '') ?? { block: 0n, logIndex: 0 }
  const [newest] = await served.world.sql`
    select block, log_index from market.event where market = 1 order by block desc, log_index desc limit 1`
  expect([String(block), logIndex]).toEqual([newest?.block, newest?.log_index])
  await sendPost(scene, { ...soon, text: 'Later\n\nA later task.' })
  const next = await again.next()
  expect(next.event).toBeUndefined()
  expect(JSON.parse(next.data).blockNumber).toBeGreaterThan(Number(block))
  again.stop()
})

test('an event id of the stream is a cursor, with or without its mark', async () => {
  const stream = listen({ 'last-event-id': '0:0' })
  const [first, second] = [await stream.next(), await stream.next()]
  stream.stop()
  expect(first.id).toMatch(/^\d+:\d+:[0-9a-f]{8}$/)
  const [place] = /^\d+:\d+/.exec(first.id ?? '') ?? []
  for (const cursor of [first.id, place, `${place}:00000000`]) {
    const response = await served.service.app.request(`/api/market/events?market=micro&limit=1&cursor=${cursor}`)
    expect(await response.json()).toMatchObject({ events: [JSON.parse(second.data)] })
  }
})

test('GET /api/market/events 400 for an invalid cursor', async () => {
  for (const cursor of ['x', '1', '1:2:3', '-1:0', '1:99999999999']) {
    const response = await served.service.app.request(`/api/market/events?cursor=${cursor}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'INVALID_CURSOR' })
  }
})

test('a filter selects events by task, address and name, on pages and on streams', async () => {
  const scene = createScene(served.world.devnet.client, served.world.devnet.deployments, 'micro')
  const client = createClient(apiEndpoints, {
    baseUrl: 'http://api',
    fetch: (request) => served.service.app.request(request),
  })
  const listAll = async (filter: object) => {
    const found: EventJson[] = []
    for (let cursor = '0:0'; ; ) {
      const { body } = await client.listEvents({ market: 'micro', limit: 7, cursor, ...filter })
      found.push(...body.events)
      if (body.meta.nextCursor === cursor || body.meta.nextCursor === null) return found
      cursor = body.meta.nextCursor
    }
  }
  const { id } = await sendPost(scene, soon)
  await sendPost(scene, { ...soon, text: 'Other\n\nAnother task.' })
  await served.service.caughtUp()
  const taskId = `v2:micro:${id}`
  const address = accounts.bruno.address
  const all = await listAll({})
  const mentions = ({ args }: EventJson) => JSON.stringify(args).toLowerCase().includes(address.toLowerCase().slice(2))
  const cases: [filter: Record<string, string>, matches: (event: EventJson) => boolean][] = [
    [{ taskId }, (each) => each.taskId === taskId],
    [{ event: 'TaskPosted' }, (each) => each.event === 'TaskPosted'],
    [{ address: address.toLowerCase() }, mentions],
    [{ taskId, address, event: 'TaskPosted' }, (each) => each.taskId === taskId && each.event === 'TaskPosted'],
  ]
  for (const [filter, matches] of cases) {
    const expected = all.filter(matches)
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(all.length)
    expect(await listAll(filter)).toEqual(expected)
    const stream = listen({ 'last-event-id': '0:0' }, String(new URLSearchParams({ market: 'micro', ...filter })))
    const heard: EventJson[] = []
    while (heard.length < expected.length) heard.push(JSON.parse((await stream.next()).data))
    expect(heard).toEqual(expected)
    stream.stop()
  }
  const live = listen({}, 'market=micro&event=TaskPosted')
  const next = live.next()
  let isHeard = false
  void next.then(() => {
    isHeard = true
  })
  // The stream begins at some block from now on.
  while (!isHeard) {
    await sendPost(scene, soon)
    // Each post costs a part of the deposit, so that a busy machine must not send them without a pause.
    await Promise.race([next, setTimeout(1_000)])
  }
  expect(JSON.parse((await next).data).event).toBe('TaskPosted')
  live.stop()
})

test('GET /api/market/events 400 for an invalid filter', async () => {
  for (const query of [
    'taskId=7',
    'taskId=v2:micro:1&market=standard',
    'address=0x1',
    'event=NoSuchEvent',
    'wallet=0x1',
  ]) {
    const page = await served.service.app.request(`/api/market/events?${query}`)
    const stream = await served.service.app.request(`/api/market/events?${query}`, {
      headers: { accept: 'text/event-stream' },
    })
    expect([page.status, stream.status], query).toEqual([400, 400])
  }
})

test('one client that opens all streams cannot take the place of another', async () => {
  const [replica, end] = [await startReplica(), new AbortController()]
  const open = (client: string) =>
    replica.app.request('/api/market/events?market=micro', {
      headers: { accept: 'text/event-stream', 'x-forwarded-for': client },
      signal: end.signal,
    })
  const greedy: Response[] = []
  for (let index = 0; index < 6; index++) greedy.push(await open('203.0.113.1'))
  expect(greedy.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
  expect(greedy[4]?.headers.get('retry-after')).toBe('5')
  // Neighbours fill the replica.
  const neighbours = [await open('203.0.113.2'), await open('203.0.113.3'), await open('203.0.113.4')]
  expect(neighbours.map(({ status }) => status)).toEqual([200, 200, 503])
  expect(neighbours[2]?.headers.get('retry-after')).toBe('5')
  // Others still get in, and streams of the largest network end.
  const others = [await open('198.51.100.1'), await open('2001:db8::1')]
  expect(others.map(({ status }) => status)).toEqual([200, 200])
  await neighbours[1]?.text()
  await neighbours[0]?.text()
  end.abort()
  await replica.stop()

  async function startReplica() {
    const resolve: ResolveClient = (_, forwardedFor) => parseClientAddress(forwardedFor() ?? '') ?? ''
    return startService(served.world, { resolveClient: resolve, streams: { total: 6, perClient: 4 } })
  }
})
