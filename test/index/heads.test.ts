import { EventEmitter, once } from 'node:events'
import { createNode, createSimulation, type SimServer } from '@svc/simulation/chain'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HeadSocketOptions, type PushedHeads, subscribeToHeads } from '../../apps/indexer/src/headSocket.ts'
import { type ProviderFault, reportChainId } from '../../chaos/providers/faults.ts'
import { startProvider } from '../../chaos/providers/provider.ts'

const simulation = createSimulation({ seed: 11 })
simulation.mine(20)
const node = createNode(simulation)
const { chainId } = simulation.places

let server: SimServer
let stop: AbortController
let subscribers: Set<(number: number) => void>
/** Emits `head`, `live` and `polled` as the socket reports them, and `subscribed` when the server has a subscriber. */
let events: EventEmitter

beforeEach(async () => {
  stop = new AbortController()
  events = new EventEmitter()
  subscribers = new Set()
  server = await start()
})
afterEach(async () => {
  stop.abort()
  await server.close()
})

test('pushed heads are known by their hash, and the newest one is the latest', async () => {
  const heads = subscribe()
  await once(events, 'subscribed')
  for (const number of [18, 19, 20]) {
    push(number)
    await once(events, 'head')
  }
  const { hash, parentHash } = simulation.chain.blocks[20] ?? expect.unreachable()
  expect(heads.latest()).toMatchObject({ number: 20n, hash })
  expect(heads.byHash(parentHash)).toMatchObject({ number: 19n })
  expect(heads.byHash(simulation.chain.blocks[17]?.hash ?? '0x')).toBeUndefined()
})

test('a socket that closes leaves no head behind, and is opened again', async () => {
  const heads = subscribe()
  await once(events, 'subscribed')
  push(19)
  await once(events, 'live')
  const subscribed = once(events, 'subscribed')
  server.dropSockets()
  expect(await once(events, 'polled')).toEqual([expect.stringMatching(/closed|reached/)])
  expect(heads.latest()).toBeNull()
  await subscribed
  push(20)
  await once(events, 'live')
  expect(heads.latest()?.number).toBe(20n)
})

test('a silent socket is given up and opened again', async () => {
  const heads = subscribe({ silentMs: 100 })
  await once(events, 'subscribed')
  push(20)
  await once(events, 'live')
  const subscribed = once(events, 'subscribed')
  expect(await once(events, 'polled')).toEqual(['pushed nothing for 100 ms'])
  expect(heads.latest()).toBeNull()
  await subscribed
})

test('a provider without subscriptions is polled, and asked again ever later', async () => {
  await server.close()
  server = await startProvider(node, [])
  let tries = 0
  const heads = subscribe({ random: () => (tries++ < 2 ? -0.9 : 0) })
  await expect.poll(() => tries).toBeGreaterThan(1)
  expect(heads.latest()).toBeNull()
})

test('a head that is not a valid header is refused, and the socket with it', async () => {
  await server.close()
  server = await start([withoutBlooms])
  let heard = 0
  const heads = subscribe({ onHead: () => heard++ })
  await once(events, 'subscribed')
  const again = once(events, 'subscribed')
  push(20)
  await again
  expect(heads.latest()).toBeNull()
  expect(heard).toBe(0)
})

test('a socket on another chain is refused before it is subscribed to', async () => {
  await server.close()
  server = await start([reportChainId(10)])
  let isSubscribed = false
  events.once('subscribed', () => {
    isSubscribed = true
  })
  const heads = subscribe()
  expect(await once(events, 'polled')).toEqual([`a pushes heads of chain 10, not of ${chainId}.`])
  expect([isSubscribed, heads.latest()]).toEqual([false, null])
})

/** Leaves the bloom filter out of every block. */
const withoutBlooms: ProviderFault = (inner) => ({
  async answer(method, params) {
    const answer = await inner.answer(method, params)
    return method === 'eth_getBlockByNumber' && 'result' in answer
      ? { result: { ...(answer.result as object), logsBloom: undefined } }
      : answer
  },
})

function start(faults: readonly ProviderFault[] = []): Promise<SimServer> {
  return startProvider(node, faults, {
    heads: (listener) => {
      subscribers.add(listener)
      events.emit('subscribed')
      return () => subscribers.delete(listener)
    },
  })
}

function push(number: number): void {
  for (const listener of subscribers) listener(number)
}

function subscribe(options: Partial<HeadSocketOptions> = {}): PushedHeads {
  return subscribeToHeads({
    name: 'a',
    url: server.socketUrl,
    chainId,
    signal: stop.signal,
    onHead: () => events.emit('head'),
    onChange: (live, why) => events.emit(live ? 'live' : 'polled', why),
    ...options,
  })
}
