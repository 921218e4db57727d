import type { BlockRef, EventEntry, MarketReader } from '@svc/chain'
import { type EventFilter, formatStreamId, parseStreamId } from '@svc/operations'
import { expect, test } from 'vitest'
import { createFanOut, type SubscriberMessage } from './fanOut.ts'
import type { Reads } from './reads.ts'
import { createTail, type TailOptions } from './tail.ts'
import type { Watch } from './watch.ts'

interface ChainOptions {
  /** Blocks up to this one have no hash any more. */
  prunedUpTo?: number
  /** How many blocks are seen at a time, as by a reader without an index. */
  sees?: number
  /** How long a request and its answer take. */
  delay?: () => Promise<void>
}

/** A chain of blocks by letter, each with one event or none; the same transaction is in every block of the same letter. */
function createChain(
  first: string,
  { prunedUpTo = 0, sees, delay, ...options }: ChainOptions & Partial<TailOptions> = {},
) {
  let blocks = [...first]
  let head = at(blocks.length)
  let pages = 0
  const waiting = new Set<() => void>()
  const reader = {
    listEvents: async (_, { limit, after }) => {
      pages++
      if (delay) await delay()
      const from = after ? Number(after.block) : sees ? blocks.length - sees + 1 : 0
      const to = sees ? Math.min(from + sees - 1, blocks.length) : blocks.length
      const events = blocks.flatMap((letter, index) => (letter === '.' ? [] : [eventAt(index + 1)]))
      const later = events.filter(
        ({ blockNumber: block, logIndex }) =>
          block >= from && block <= to && (!after || block > after.block || logIndex > after.logIndex),
      )
      const next = to < blocks.length ? { block: BigInt(to), logIndex: 2 ** 31 - 1 } : null
      const page = { events: after ? later.slice(0, limit) : later.slice(-limit), next, block: head }
      if (delay) await delay()
      return page
    },
  } as Partial<MarketReader> as MarketReader
  const reads = { read: async (_, work) => ({ ...(await work(reader)), path: 'index', stale: false }) } as Reads
  const watch = {
    indexed: () => null,
    head: () => head,
    changed: (ms) =>
      new Promise<void>((done) => {
        waiting.add(done)
        setTimeout(done, ms).unref()
      }),
  } as Partial<Watch> as Watch
  const tail = createTail({ reads, watch, ...options })
  const subscribe = createFanOut({ tail })

  return {
    /** The id that the stream gives the event of a block. */
    idAt: (number: number) => formatStreamId(eventAt(number)),
    pages: () => pages,
    waiting: () => waiting.size,
    become(others: string) {
      blocks = [...others]
      head = at(blocks.length)
      for (const wake of waiting) wake()
      waiting.clear()
    },
    subscribe: openSubscription,
    /** The messages of a follower from an id on, one after the other. */
    follow(id?: string) {
      const stop = new AbortController()
      const messages = tail('micro', id === undefined ? undefined : (parseStreamId(id) ?? undefined), stop.signal)
      return async () => {
        for await (const each of { [Symbol.asyncIterator]: () => ({ next: () => messages.next() }) }) {
          if (each.kind !== 'current' && each.kind !== 'behind') return formatMessages(each)
        }
        return 'over'
      }
    },
  }

  /** The messages of a subscriber from an id on, one after the other, and how to leave. */
  function openSubscription(id?: string, filter?: EventFilter) {
    const stop = new AbortController()
    const from = id === undefined ? undefined : (parseStreamId(id) ?? undefined)
    const messages = subscribe('micro', from, stop.signal, filter)
    return {
      next: async () => {
        const { value, done } = await messages.next()
        return done ? 'over' : formatMessages(value)
      },
      leave: () => stop.abort(),
    }
  }

  /** The hash of a block is that of all before it too. */
  function at(number: number): BlockRef {
    const text = Buffer.from(blocks.slice(0, number).reverse().join('')).toString('hex')
    return { number: BigInt(number), hash: `0x${text.padEnd(64, '0')}`, timestamp: number }
  }
  function eventAt(number: number): EventEntry {
    const transactionHash = `0x${blocks[number - 1]?.charCodeAt(0).toString(16)}` as const
    const blockHash = number > prunedUpTo ? at(number).hash : null
    const letter = blocks[number - 1] ?? ''
    const about = { name: `Event${letter}`, task: BigInt(letter.charCodeAt(0)), args: {} }
    return {
      ...about,
      blockNumber: BigInt(number),
      logIndex: 0,
      transactionHash,
      timestamp: number,
      blockHash,
    } as EventEntry
  }
}

function formatMessages(message: SubscriberMessage): string {
  if (message.kind === 'quiet') return 'quiet'
  if (message.kind === 'event') return `event ${message.event.blockNumber}`
  if (message.kind === 'reorg') return `reorg after ${message.after.blockNumber}`
  return `lost, ${message.newest?.blockNumber} is the newest`
}

test('a follower hears of a rolled-back event, even if another is mined in its place at the same time', async () => {
  const chain = createChain('ab.')
  const next = chain.follow(chain.idAt(1))
  expect(await next()).toBe('event 2')
  chain.become('abcd')
  expect([await next(), await next()]).toEqual(['event 3', 'event 4'])
  const upcoming = next()
  chain.become('ab.d.')
  expect(await upcoming).toBe('reorg after 2')
  expect(await next()).toBe('event 4')
})

test('a client that reconnects with the id of a rolled-back event hears of it', async () => {
  const chain = createChain('abcd')
  const id = chain.idAt(4)
  chain.become('ab.de')
  const next = chain.follow(id)
  expect(await next()).toBe('lost, 5 is the newest')
  const upcoming = next()
  chain.become('ab.def')
  expect(await upcoming).toBe('event 6')
  // An older id that still stands takes the stream up where the chains part.
  const older = chain.follow(chain.idAt(2))
  expect([await older(), await older()]).toEqual(['event 4', 'event 5'])
})

test('a client that reconnects hears of a rolled-back event that nothing replaced', async () => {
  const chain = createChain('abcd')
  const id = chain.idAt(4)
  chain.become('abc..')
  expect(await chain.follow(id)()).toBe('lost, 3 is the newest')
})

test('an id that is still on the chain is resumed, and so is a position without a mark', async () => {
  const chain = createChain('abcd')
  for (const id of [chain.idAt(3), '3:0']) expect(await chain.follow(id)()).toBe('event 4')
})

test('a reorganisation goes back at most to the id that the stream was resumed with', async () => {
  const chain = createChain('abc')
  const next = chain.follow(chain.idAt(2))
  expect(await next()).toBe('event 3')
  const upcoming = next()
  chain.become('abde')
  expect(await upcoming).toBe('reorg after 2')
  expect(await next()).toBe('event 3')
})

test('a replica that is behind the id waits until it has caught up', async () => {
  const chain = createChain('abcd')
  const [id, gone] = [chain.idAt(4), createChain('abcx').idAt(4)]
  chain.become('ab')
  const [upcoming, lost] = [chain.follow(id)(), chain.follow(gone)()]
  chain.become('abcde')
  expect([await upcoming, await lost]).toEqual(['event 5', 'lost, 5 is the newest'])
})

test('a block whose hash is dropped because it is final counts as the same block', async () => {
  const id = createChain('abc').idAt(2)
  const next = createChain('abc', { prunedUpTo: 2 }).follow(id)
  expect(await next()).toBe('event 3')
})

test('a reorganisation deeper than the memory is reported as lost', async () => {
  const chain = createChain('a...', { memory: 2 })
  const next = chain.follow('0:0')
  expect(await next()).toBe('event 1')
  chain.become('abcd')
  expect([await next(), await next(), await next()]).toEqual(['event 2', 'event 3', 'event 4'])
  const upcoming = next()
  chain.become('axyzz')
  expect(await upcoming).toBe('lost, 5 is the newest')
})

test('without an index, an event is found however far from the last one, and no block is searched twice', async () => {
  const quiet = '.'.repeat(700)
  const chain = createChain(`a${quiet}b`, { sees: 100 })
  const next = chain.follow(chain.idAt(1))
  // More blocks than are looked through at a time: the rest comes with the next block.
  const upcoming = next()
  await expect.poll(chain.pages).toBe(6)
  chain.become(`a${quiet}b.`)
  expect(await upcoming).toBe('event 702')
  const before = chain.pages()
  const later = next()
  chain.become(`a${quiet}b..c`)
  expect(await later).toBe('event 705')
  expect(chain.pages() - before).toBeLessThanOrEqual(3)
})

test('without an index, an event that a reorganisation adds to a searched block is found', async () => {
  const chain = createChain(`a${'.'.repeat(300)}`, { sees: 100 })
  const next = chain.follow(chain.idAt(1))
  const upcoming = next()
  await expect.poll(chain.pages).toBeGreaterThan(3)
  chain.become(`a${'.'.repeat(200)}b${'.'.repeat(100)}`)
  expect(await upcoming).toBe('event 202')
})

test('without an index and without recent events, a new follower hears only of new events', async () => {
  const chain = createChain(`ab${'.'.repeat(400)}`, { sees: 100 })
  const upcoming = chain.follow()()
  chain.become(`ab${'.'.repeat(400)}c`)
  expect(await upcoming).toBe('event 403')
})

test('subscribers get what followers get: missed events, new events and rollbacks', async () => {
  const chain = createChain('abc')
  const [old, fresh] = [chain.subscribe(chain.idAt(1)), chain.subscribe()]
  const heardFresh = fresh.next()
  expect([await old.next(), await old.next()]).toEqual(['event 2', 'event 3'])
  const heardOld = old.next()
  // Once both wait for the next block.
  await expect.poll(chain.waiting).toBeGreaterThan(0)
  chain.become('abcde')
  expect([await heardOld, await old.next()]).toEqual(['event 4', 'event 5'])
  expect([await heardFresh, await fresh.next()]).toEqual(['event 4', 'event 5'])
  const upcoming = [old.next(), fresh.next()]
  chain.become('abcxyz')
  expect(await Promise.all(upcoming)).toEqual(['reorg after 3', 'reorg after 3'])
  for (const each of [old, fresh]) expect([await each.next(), await each.next()]).toEqual(['event 4', 'event 5'])
})

test('a subscriber hears only of what its filter matches, and of a reorganisation only if it has what is gone', async () => {
  const chain = createChain('aba')
  const task = (letter: string) => ({ task: BigInt(letter.charCodeAt(0)) })
  const [a, b] = [chain.subscribe('0:0', task('a')), chain.subscribe('0:0', { event: 'Eventb' })]
  expect([await a.next(), await a.next()]).toEqual(['event 1', 'event 3'])
  expect(await b.next()).toBe('event 2')
  const [toA, toB] = [a.next(), b.next()]
  await expect.poll(chain.waiting).toBeGreaterThan(0)
  chain.become('abaca')
  expect(await toA).toBe('event 5')
  const gone = a.next()
  chain.become('abacbb')
  expect(await gone).toBe('reorg after 4')
  // It has nothing of what was rolled back, and goes on with what came instead.
  expect([await toB, await b.next()]).toEqual(['event 5', 'event 6'])
})

test('a subscriber that leaves is removed at once, and the last one ends the reads', async () => {
  const chain = createChain('ab')
  const only = chain.subscribe()
  const upcoming = only.next()
  await expect.poll(chain.pages).toBeGreaterThan(0)
  only.leave()
  expect(await upcoming).toBe('over')
  const before = chain.pages()
  chain.become('abc')
  await new Promise(setImmediate)
  expect(chain.pages()).toBe(before)
})

test('subscribers that join while blocks and reorganisations come miss nothing and get nothing twice', async () => {
  let blocks = [...'ab']
  const random = createRandom(7)
  const tick = () => new Promise<void>((done) => setImmediate(done))
  const delay = async () => {
    for (let step = Math.floor(random() * 4); step > 0; step--) await tick()
  }
  const chain = createChain(blocks.join(''), { delay })
  const all: { from: number; seen: number[] }[] = []
  const lost = new Set<number[]>()
  const running: Promise<void>[] = []
  const stops: (() => void)[] = []
  for (let turn = 0; turn < 200; turn++) {
    if (turn % 5 === 0) {
      // A place without an event: nobody else reads from there.
      const [from, seen] = [turn % 10 === 0 ? blocks.length : 0, [] as number[]]
      const { next, leave } = chain.subscribe(`${from}:7`)
      all.push({ from, seen })
      stops.push(leave)
      running.push(record(next, seen))
    }
    const depth = random() < 0.2 ? Math.floor(random() * 4) : 0
    blocks = blocks.slice(0, blocks.length - depth)
    for (let more = 0; more <= depth; more++) blocks.push(random() < 0.8 ? '.' : String.fromCharCode(97 + (turn % 26)))
    chain.become(blocks.join(''))
    await delay()
  }
  const expected = blocks.flatMap((letter, index) => (letter === '.' ? [] : [index + 1]))
  for (const { from, seen } of all) {
    if (lost.has(seen)) continue
    const wanted = expected.filter((number) => number > from)
    await expect.poll(() => seen.filter((number) => number > from)).toEqual(wanted)
    // Those whose place was rolled back get everything after the fork.
    expect(seen).toEqual(expected.slice(expected.length - seen.length))
  }
  expect(lost.size).toBeLessThan(all.length / 4)
  for (const stop of stops) stop()
  await Promise.all(running)

  async function record(next: () => Promise<string>, seen: number[]): Promise<void> {
    for (;;) {
      const [kind = '', ...words] = (await next()).split(' ')
      if (kind === 'over') return
      const number = Number(words.at(-1))
      if (kind === 'event') {
        expect(number).toBeGreaterThan(seen.at(-1) ?? 0)
        seen.push(number)
      } else if (kind === 'reorg') while ((seen.at(-1) ?? 0) > number) seen.pop()
      // Rolled back before it had joined, with everything that it knew.
      else lost.add(seen)
    }
  }
})

/** Numbers from 0 to 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % (2 ** 31 - 1)
    return state / (2 ** 31 - 1)
  }
}
