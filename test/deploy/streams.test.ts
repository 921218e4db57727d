import { get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { apiEndpoints, createClient } from '@svc/client'
import { accounts, createScene } from '@svc/devnet'
import { streamLimits } from '@svc/operations'
import { createClientResolver, listen } from '@svc/serve'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { type Nginx, reserveNginxPorts, startNginx } from '../harness/nginx.ts'
import { fillWithPosters, postTask } from '../harness/posters.ts'
import { type Service, startService } from '../harness/service.ts'

interface Replica {
  service: Service
  port: number
  /** How many requests for a stream reached it. */
  asked: () => number
  stop: () => Promise<void>
}

let world: IndexedWorld
let replicas: Replica[]
let nginx: Nginx
beforeAll(async () => {
  world = await startIndexedWorld({ fill: fillWithPosters })
  const { ports, hub } = await reserveNginxPorts()
  replicas = [await startReplica(hub), await startReplica(hub)]
  nginx = await startNginx(
    replicas.map(({ port }) => port),
    { ports, streams: true },
  )
})
afterAll(async () => {
  await nginx?.stop()
  await Promise.all((replicas ?? []).map(({ stop }) => stop()))
  await world?.stop()
})

/** A replica that may hold only two streams itself. */
async function startReplica(hub: string): Promise<Replica> {
  const stopping = new AbortController()
  let asked = 0
  const service = await startService(world, {
    streamHubs: [hub],
    streams: { total: 2, perClient: 2 },
    heartbeatMs: 300,
    stopping: stopping.signal,
    resolveClient: createClientResolver(['127.0.0.1']),
  })
  const { port, close } = await listen({
    fetch: (request, context) => {
      if (new URL(request.url).pathname === '/api/market/events') asked++
      return service.app.fetch(request, context)
    },
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 1_000,
    onFault: console.error,
  })
  return {
    service,
    port,
    asked: () => asked,
    async stop() {
      stopping.abort()
      await close(1_000)
      await service.stop()
    },
  }
}

interface Listener {
  ids: string[]
  kinds: string[]
  connections: number
  stop: () => void
}

/** Listens as a browser does: when a connection ends, it opens another one with the last id. */
function startListener(from: string, lastId?: string): Listener {
  const stopping = new AbortController()
  const listener: Listener = { ids: [], kinds: [], connections: 0, stop: () => stopping.abort() }
  void follow()
  return listener

  async function follow(): Promise<void> {
    for (let id = lastId; !stopping.signal.aborted; await wait(50)) {
      const response = await open(id).catch(() => null)
      if (response?.statusCode !== 200) continue
      listener.connections++
      let text = ''
      try {
        for await (const chunk of response) {
          text += chunk
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const fields = new Map(
              text
                .slice(0, end)
                .split('\n')
                .map((line) => line.split(': ', 2)) as [string, string][],
            )
            text = text.slice(end + 2)
            id = fields.get('id') ?? id
            if (fields.has('id')) {
              listener.ids.push(fields.get('id') ?? '')
              listener.kinds.push(fields.get('event') ?? 'message')
            }
          }
        }
      } catch {
        // The connection broke.
      }
    }
  }

  function open(id: string | undefined): Promise<IncomingMessage> {
    const { hostname, port } = new URL(nginx.url)
    const headers = {
      accept: 'text/event-stream',
      origin: 'http://page',
      ...(id !== undefined && { 'last-event-id': id }),
    }
    const path = '/api/market/events?market=standard'
    return new Promise((done, fail) => {
      get({ hostname, port, path, headers, localAddress: from, agent: false, signal: stopping.signal }, done).on(
        'error',
        fail,
      )
    })
  }
}

const post = async (count: number) => {
  const scene = createScene(world.devnet.client, world.devnet.deployments, 'standard')
  for (let index = 0; index < count; index++) await postTask(scene, accounts.ada)
}
/** The ids of all events after the first `skip`, as the API lists them. */
async function listIds(): Promise<string[]> {
  const [replica] = replicas
  const fetch = (request: Request) => replica?.service.app.request(request) ?? Response.error()
  const client = createClient(apiEndpoints, { baseUrl: 'http://api', fetch: async (request) => fetch(request) })
  const { body } = await client.listEvents({ market: 'standard', limit: 100 })
  return body.events.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`)
}
const withoutMark = (id: string) => id.split(':').slice(0, 2).join(':')

test('nginx holds the streams: all listeners get every event once, while nginx and a replica restart', async () => {
  await post(2)
  await replicas[0]?.service.caughtUp()
  const before = await listIds()
  const listeners = Array.from({ length: 40 }, (_, index) => startListener(`127.0.1.${index + 1}`))
  const resumed = startListener('127.0.2.1', before[2])
  const all = [...listeners, resumed]
  await expect.poll(() => all.filter(({ connections }) => connections > 0).length, { timeout: 20_000 }).toBe(all.length)
  const haveAll = async () => {
    await replicas[0]?.service.caughtUp()
    const count = (await listIds()).length - before.length
    await expect
      .poll(() => listeners.filter(({ ids }) => ids.length === count).length, { timeout: 40_000 })
      .toBe(listeners.length)
  }
  await post(2)
  await haveAll()
  await Promise.all([post(3), nginx.restart()])
  await post(1)
  await haveAll()
  await replicas[1]?.stop()
  await post(2)
  await haveAll()
  const expected = await listIds()
  for (const { ids } of listeners) expect(ids.map(withoutMark)).toEqual(expected.slice(before.length))
  expect(resumed.ids.map(withoutMark)).toEqual(expected.slice(3))
  expect(all.every(({ connections }) => connections >= 2)).toBe(true)
  for (const each of all) each.stop()
})

test('listeners in nginx learn of a reorganisation, and one who was away with a removed event too', async () => {
  const [replica] = replicas
  const here = startListener('127.0.3.1')
  const away = startListener('127.0.3.2')
  await expect.poll(() => here.connections * away.connections, { timeout: 20_000 }).toBeGreaterThan(0)
  const snapshot = await world.devnet.client.snapshot()
  await post(1)
  await expect.poll(() => away.ids.length, { timeout: 20_000 }).toBeGreaterThan(0)
  away.stop()
  await world.devnet.client.revert({ id: snapshot })
  await world.devnet.client.mine({ blocks: 3 })
  await post(1)
  await replica?.service.caughtUp()
  const [last] = (await listIds()).slice(-1)
  await expect.poll(() => withoutMark(here.ids.at(-1) ?? ''), { timeout: 20_000 }).toBe(last)
  expect(here.kinds).toContain('reorg')
  const back = startListener('127.0.3.2', away.ids.at(-1))
  await expect.poll(() => back.kinds[0], { timeout: 20_000 }).toBe('lost')
  await post(1)
  await expect.poll(() => back.ids.length, { timeout: 20_000 }).toBeGreaterThan(1)
  expect(back.connections).toBe(2)
  for (const each of [here, back]) each.stop()
})

test('one address has as many streams in nginx as at a replica', async () => {
  const greedy = Array.from({ length: streamLimits.openPerClient + 5 }, () => startListener('127.0.4.1'))
  const count = () => greedy.filter(({ connections }) => connections > 0).length
  await expect.poll(count, { timeout: 20_000 }).toBe(streamLimits.openPerClient)
  await wait(500)
  expect(count()).toBe(streamLimits.openPerClient)
  for (const each of greedy) each.stop()
})
