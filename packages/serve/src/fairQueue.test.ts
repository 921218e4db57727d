import { expect, test } from 'vitest'
import { createFairQueue, type FairQueueOptions } from './fairQueue.ts'

/** A queue whose jobs end when the test says so. */
function startQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({
    maxRunning: 4,
    maxRunningPerNetwork: 2,
    maxWaiting: 100,
    maxWaitingPerNetwork: 50,
    ...options,
  })
  const started: string[] = []
  const running: (() => void)[] = []
  const refused: string[] = []
  const add = (
    client: string,
    { name = client, cost = 1, signal }: { name?: string; cost?: number; signal?: AbortSignal } = {},
  ) => {
    const run = () =>
      new Promise<void>((end) => {
        started.push(name)
        running.push(end)
      })
    void queue({ client, cost, run, signal }).catch((error: { code: string }) => refused.push(`${name} ${error.code}`))
  }
  /** Lets everything that can happen now happen. */
  const settle = () => new Promise((done) => setImmediate(done))
  return {
    queue,
    add,
    started,
    refused,
    settle,
    async endNext() {
      running.shift()?.()
      await settle()
    },
  }
}

test('a client with many jobs leaves room for others, and they start at once', async () => {
  const { add, started, settle, queue } = startQueue()
  for (let index = 0; index < 40; index++) add('203.0.113.1')
  add('198.51.100.1')
  await settle()
  expect(started).toEqual(['203.0.113.1', '203.0.113.1', '198.51.100.1'])
  expect(queue.size()).toEqual({ running: 3, waiting: 38 })
})

test('networks take turns by cost, however many jobs or clients each has', async () => {
  const { add, started, endNext } = startQueue({
    maxRunning: 3,
    maxRunningPerNetwork: 3,
    maxWaitingPerNetwork: 90,
    maxWaiting: 400,
  })
  for (let index = 0; index < 60; index++) add(`2001:db8:1:${index}::/64`, { name: 'many clients' })
  for (let index = 0; index < 60; index++) add('203.0.113.1', { name: 'one client' })
  for (let index = 0; index < 60; index++) add('198.51.100.1', { name: 'expensive', cost: 3 })
  for (let index = 0; index < 100; index++) await endNext()
  const count = (name: string) => started.filter((each) => each === name).length
  const [many, one, expensive] = [count('many clients'), count('one client'), count('expensive')]
  expect(Math.abs(many - one)).toBeLessThanOrEqual(4)
  expect(Math.abs(many - expensive * 3)).toBeLessThanOrEqual(6)
})

test('clients of one network take turns too', async () => {
  const { add, started, endNext } = startQueue({ maxRunning: 1, maxRunningPerNetwork: 1 })
  for (let index = 0; index < 20; index++) add('203.0.113.1')
  for (let index = 0; index < 3; index++) add('203.0.113.2')
  for (let index = 0; index < 7; index++) await endNext()
  expect(started.filter((each) => each === '203.0.113.2')).toHaveLength(3)
})

test('what waits is bounded: 429 for a network that has too much, 503 when all together have', async () => {
  const { add, refused, settle, queue } = startQueue({ maxRunning: 2, maxWaiting: 6, maxWaitingPerNetwork: 4 })
  for (let index = 0; index < 7; index++) add('203.0.113.1', { name: `a${index}` })
  await settle()
  expect(refused).toEqual(['a6 RATE_LIMITED'])
  for (const name of ['b', 'c']) add(name === 'b' ? '198.51.100.1' : '192.0.2.1', { name })
  await settle()
  expect(queue.size()).toEqual({ running: 2, waiting: 6 })
  add('192.0.3.1', { name: 'd' })
  await settle()
  expect(refused, 'who waits with most gives way').toEqual(['a6 RATE_LIMITED', 'a5 BUSY'])
  for (const name of ['e', 'f', 'g', 'h']) add(`192.0.${name.charCodeAt(0)}.1`, { name })
  await settle()
  expect(refused.slice(2).toSorted()).toEqual(['a3 BUSY', 'a4 BUSY', 'g BUSY', 'h BUSY'])
})

test('another client of a full network still gets its place', async () => {
  const { add, refused, settle } = startQueue({ maxWaitingPerNetwork: 4 })
  for (let index = 0; index < 6; index++) add('203.0.113.1', { name: `a${index}` })
  add('203.0.113.2', { name: 'neighbour' })
  await settle()
  expect(refused).toEqual(['a5 RATE_LIMITED'])
})

test('members of a network take turns in the place of clients, and each runs only so many', async () => {
  const { settle } = startQueue()
  const uploads = createFairQueue({
    maxRunning: 8,
    maxRunningPerNetwork: 4,
    maxRunningPerClient: 2,
    maxWaiting: 100,
    maxWaitingPerNetwork: 50,
  })
  const started: string[] = []
  const run = (member: string) => () => new Promise<void>(() => started.push(member))
  for (const member of ['one wallet', 'another wallet']) {
    for (let index = 0; index < 5; index++) void uploads({ client: '203.0.113.1', member, cost: 1, run: run(member) })
  }
  await settle()
  expect(started.toSorted()).toEqual(['another wallet', 'another wallet', 'one wallet', 'one wallet'])
  expect(uploads.size()).toEqual({ running: 4, waiting: 6 })
})

test('a client that has gone gives its place back', async () => {
  const { add, settle, queue, endNext, started, refused } = startQueue()
  const client = new AbortController()
  for (let index = 0; index < 5; index++) add('203.0.113.1', { signal: client.signal })
  add('203.0.113.1', { name: 'stays' })
  client.abort()
  await settle()
  expect(queue.size()).toEqual({ running: 2, waiting: 1 })
  expect(refused).toHaveLength(3)
  await endNext()
  expect(started.at(-1)).toBe('stays')
})

test('a job that fails gives its room back, and one that is too expensive runs alone', async () => {
  const queue = createFairQueue({ maxRunning: 4, maxRunningPerNetwork: 2, maxWaiting: 1, maxWaitingPerNetwork: 1 })
  const fail = queue({ client: '', cost: 1_000, run: () => Promise.reject(new Error('as expected')) })
  await expect(fail).rejects.toThrow('as expected')
  await expect(queue({ client: '', cost: 1_000, run: async () => 'done' })).resolves.toBe('done')
  expect(queue.size()).toEqual({ running: 0, waiting: 0 })
})
