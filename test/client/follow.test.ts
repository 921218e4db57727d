import { apiEndpoints, createClient, followEvents, type StreamInterruption, type StreamMessage } from '@svc/client'
import { accounts, createScene, sendPost } from '@svc/devnet'
import { listen } from '@svc/serve'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { type Service, startService } from '../harness/service.ts'
import { type FaultyProxy, type ProxyFault, startFaultyProxy } from './faultyProxy.ts'

let world: IndexedWorld
let api: Api
let proxy: FaultyProxy
beforeAll(async () => {
  world = await startIndexedWorld()
  api = await startApi()
  proxy = await startFaultyProxy(api.url)
})
afterAll(async () => {
  await proxy?.stop()
  await api?.stop()
  await world?.stop()
})

interface Api {
  service: Service
  url: string
  stop: () => Promise<void>
}

/** Starts a replica of the API on a free port. */
async function startApi(): Promise<Api> {
  const stopping = new AbortController()
  const service = await startService(world, { stopping: stopping.signal, heartbeatMs: 200 })
  const options = { port: 0, hostname: '127.0.0.1', maxConnections: 100, onFault: console.error }
  const { port, close } = await listen({ ...options, fetch: service.app.fetch })
  return {
    service,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      stopping.abort()
      await close(0)
      await service.stop()
    },
  }
}

const market = 'micro'
const isAfter = (id: string, other: string) => {
  const [block = 0, index = 0] = id.split(':').map(Number)
  const [otherBlock = 0, otherIndex = 0] = other.split(':').map(Number)
  return block > otherBlock || (block === otherBlock && index > otherIndex)
}

/** Applies messages as the documentation says. Returns the positions of the events on the chain, and what was repeated. */
function fold(messages: readonly Pick<StreamMessage, 'kind' | 'id'>[]) {
  let events: string[] = []
  const repeated: string[] = []
  for (const { kind, id } of messages) {
    const last = events.at(-1)
    if (kind === 'lost') throw new Error(`The stream lost events before ${id}.`)
    if (kind === 'reorg') events = events.filter((each) => !isAfter(each, id))
    else if (last && !isAfter(id, last)) repeated.push(id)
    else events.push(id)
  }
  return { events: events.map(cutMark), repeated }
}
const cutMark = (id: string) => id.split(':', 2).join(':')

/** Lists the positions of all events that are on the chain now. */
async function listAll(): Promise<string[]> {
  const client = createClient(apiEndpoints, { baseUrl: api.url })
  const found: string[] = []
  for (let cursor = '0:0'; ; ) {
    const { body } = await client.listEvents({ market, limit: 100, cursor })
    if (body.events.length === 0) return found
    found.push(...body.events.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`))
    cursor = body.meta.nextCursor ?? ''
  }
}

/** Follows all events through the proxy. */
function follow(silenceMs: number) {
  const stop = new AbortController()
  const [heard, interruptions]: [StreamMessage[], StreamInterruption[]] = [[], []]
  const options = { retryMs: 20, silenceMs, onInterrupt: (each: StreamInterruption) => interruptions.push(each) }
  const running = (async () => {
    const from = { baseUrl: proxy.url, market, after: '0:0', signal: stop.signal } as const
    for await (const message of followEvents({ ...from, ...options })) heard.push(message)
  })()
  return {
    heard,
    interruptions,
    async stop() {
      stop.abort()
      await running
    },
  }
}

const post = (text: string) =>
  sendPost(createScene(world.devnet.client, world.devnet.deployments, market), {
    text: `${text}\n\nA task.`,
    amounts: [10n ** 18n],
    duration: 3_600,
    poster: accounts.bruno,
  })

/** Waits until a follower has heard of everything, and compares it with the chain. */
async function expectComplete({ heard }: ReturnType<typeof follow>): Promise<void> {
  await api.service.caughtUp()
  const all = await listAll()
  await expect.poll(() => fold(heard).events.length, { timeout: 30_000 }).toBe(all.length)
  expect(fold(heard)).toEqual({ events: all, repeated: [] })
}

test('followEvents has no gap and no repeat over silence, cuts, 429, 503 and restarts', async () => {
  const follower = follow(2_000)
  const interruptWith = async (fault: ProxyFault, reason: RegExp) => {
    const before = follower.interruptions.length
    proxy.faults.push(fault)
    proxy.drop()
    await post(`During ${fault}`)
    const reasons = () => follower.interruptions.slice(before).map(({ error }) => error.message)
    await expect.poll(reasons, { timeout: 30_000 }).toContainEqual(expect.stringMatching(reason))
    await expectComplete(follower)
  }

  await expectComplete(follower)
  await interruptWith('hang', /silent/)
  await interruptWith('stall', /silent/)
  await interruptWith('cut', /./)
  await interruptWith(429, /^Later$/)
  await interruptWith(503, /^Later$/)
  const refusals = follower.interruptions.filter(({ error }) => error.message === 'Later')
  expect(Math.min(...refusals.map(({ waitMs }) => waitMs)), 'as long as the API asks').toBeGreaterThanOrEqual(1_000)

  const old = api
  api = await startApi()
  proxy.origin = api.url
  await old.stop()
  await post('After a restart')
  await expectComplete(follower)
  await follower.stop()
}, 240_000)

test('followEvents has no gap and no repeat over a reorganisation', async () => {
  const follower = follow(30_000)
  const snapshot = await world.devnet.client.snapshot()
  await post('Rolled back')
  await expectComplete(follower)
  await world.devnet.client.revert({ id: snapshot })
  await post('Instead')
  await world.devnet.client.mine({ blocks: 3 })
  await expect.poll(() => follower.heard.some(({ kind }) => kind === 'reorg'), { timeout: 30_000 }).toBe(true)
  await expectComplete(follower)
  await follower.stop()
}, 120_000)

test.each([
  ['a gap', ['1:0', '1:2'], { events: ['1:0', '1:2'], repeated: [] }],
  ['a repeat', ['1:0', '1:1', '1:1'], { events: ['1:0', '1:1'], repeated: ['1:1'] }],
])('the comparison would notice %s', (_, ids, folded) => {
  expect(fold(ids.map((id) => ({ kind: 'event', id })))).toEqual(folded)
  expect(folded).not.toEqual({ events: ['1:0', '1:1', '1:2'], repeated: [] })
})
