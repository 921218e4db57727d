import type { BlockRef, EventEntry, EventPosition } from '@svc/chain'
import { type EventFilter, listEventAddresses, matchesFilter, type StreamPosition, streamLimits } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { getPosition, isBeyond, type StreamMessage, type Tail } from './tail.ts'

export interface FanOutOptions {
  tail: Tail
  /** The longest silence before a `quiet` message. */
  quietMs?: number
}

/** What a subscriber gets: the messages of the market, and `quiet` if there is none for a while. */
export type SubscriberMessage = StreamMessage | { kind: 'quiet' }

/** A subscriber that is up to date: messages are pushed to it. */
interface Subscriber {
  filter: EventFilter
  /** The position of the last message it got, or where it began. */
  place: EventPosition
  queue: StreamMessage[]
  /** Called after the queue has changed, or the feed has ended. */
  wake: () => void
}

/** The messages of one market, read once for all subscribers. */
interface Feed {
  /** The newest block that was read; null before the first. */
  block: BlockRef | null
  place: EventPosition | null
  /** The number of messages up to each block that was read recently. */
  counts: Map<string, number>
  /** The last of `count` messages. */
  recent: StreamMessage[]
  count: number
  isOver: boolean
  /** Why it is over; undefined if nobody needs it any more. */
  fault?: unknown
  /** Subscribers, by what their filter asks for. A message looks up only those that it can concern. */
  byKey: Map<string, Set<Subscriber>>
  /** Those who wait for the next block. */
  waiting: Set<() => void>
  users: number
  stop: AbortController
}

/** Messages that are remembered for subscribers who join, and that a slow subscriber may be behind. */
const maxRecent = 1_000
/** Blocks at which a subscriber can join. */
const maxBlocks = 64
const everything = 'all'

/**
 * Follows each market once and hands its messages to all subscribers. A new subscriber reads for itself what it missed, up to
 * a block that the feed has read too, and joins there. From then on an event costs only those whose filter it matches.
 */
export function createFanOut({ tail, quietMs = streamLimits.heartbeatSeconds * 1000 }: FanOutOptions) {
  const feeds = new Map<Market, Feed>()

  /** Starts to follow a market unless it is followed already. */
  function acquire(market: Market): Feed {
    const known = feeds.get(market)
    if (known && !known.stop.signal.aborted) {
      known.users++
      return known
    }
    const feed: Feed = {
      block: null,
      place: null,
      counts: new Map(),
      recent: [],
      count: 0,
      isOver: false,
      byKey: new Map(),
      waiting: new Set(),
      users: 1,
      stop: new AbortController(),
    }
    feeds.set(market, feed)
    void run(market, feed)
    return feed
  }

  function release(feed: Feed): void {
    feed.users--
    if (feed.users === 0) feed.stop.abort()
  }

  async function run(market: Market, feed: Feed): Promise<void> {
    try {
      for await (const message of tail(market, undefined, feed.stop.signal)) {
        if (message.kind === 'current') noteBlock(feed, message.block, message.place)
        else if (message.kind !== 'behind') push(feed, message)
      }
    } catch (error) {
      // A failed read ends the feed and its streams: clients reconnect with the last id they received.
      feed.fault = error
    } finally {
      feed.isOver = true
      if (feeds.get(market) === feed) feeds.delete(market)
      for (const wake of feed.waiting) wake()
      for (const subscribers of feed.byKey.values()) for (const each of subscribers) each.wake()
    }
  }

  return async function* subscribe(
    market: Market,
    from: StreamPosition | undefined,
    signal: AbortSignal,
    filter: EventFilter = {},
  ): AsyncGenerator<SubscriberMessage> {
    const feed = acquire(market)
    const changes = createSignal(signal)
    const subscriber: Subscriber = {
      filter,
      place: from ?? { block: 0n, logIndex: 0 },
      queue: [],
      wake: changes.notify,
    }
    let quietAt = Date.now() + quietMs
    try {
      if (!from) {
        while (!feed.place && !feed.isOver && !signal.aborted) await waitForBlock(feed, changes, quietMs)
        if (feed.place) subscriber.place = feed.place
        add(feed, subscriber)
      } else {
        for await (const message of tail(market, from, signal)) {
          if (message.kind === 'current') {
            if (await join(feed, subscriber, message.block, changes)) break
            if (feed.isOver) return
          } else if (message.kind !== 'behind' && (message.kind !== 'event' || matchesFilter(message.event, filter))) {
            quietAt = Date.now() + quietMs
            subscriber.place = findPlace(message)
            yield message
          }
          if (Date.now() < quietAt) continue
          quietAt = Date.now() + quietMs
          yield { kind: 'quiet' }
        }
      }
      while (!signal.aborted) {
        const message = subscriber.queue.shift()
        if (message) {
          yield message
          continue
        }
        // One that cannot keep up is ended: it resumes with the last id it received.
        if (feed.fault !== undefined) throw feed.fault
        if (feed.isOver || !has(feed, subscriber)) return
        if (!(await changes.wait(quietMs))) yield { kind: 'quiet' }
      }
    } finally {
      remove(feed, subscriber)
      release(feed)
    }
  }

  /** Adds a subscriber that has everything up to a block, with what came since. False if the feed never read that block. */
  async function join(feed: Feed, subscriber: Subscriber, block: BlockRef, changes: Changes): Promise<boolean> {
    if (!feed.counts.has(block.hash)) await waitForBlock(feed, changes, 1_000)
    const count = feed.counts.get(block.hash)
    const missed = feed.count - (count ?? 0)
    if (count === undefined || missed > feed.recent.length) return false
    add(feed, subscriber)
    for (const message of missed > 0 ? feed.recent.slice(-missed) : []) deliver(feed, subscriber, message)
    return true
  }
}

export type Subscribe = ReturnType<typeof createFanOut>

function noteBlock(feed: Feed, block: BlockRef, place: EventPosition): void {
  Object.assign(feed, { block, place })
  feed.counts.delete(block.hash)
  feed.counts.set(block.hash, feed.count)
  const [oldest] = feed.counts.keys()
  if (feed.counts.size > maxBlocks && oldest) feed.counts.delete(oldest)
  for (const wake of feed.waiting) wake()
}

function push(feed: Feed, message: StreamMessage): void {
  feed.count++
  feed.recent.push(message)
  if (feed.recent.length > maxRecent) feed.recent.shift()
  for (const key of message.kind === 'event' ? listKeys(message.event) : feed.byKey.keys()) {
    for (const subscriber of feed.byKey.get(key) ?? []) deliver(feed, subscriber, message)
  }
}

/** The position that a message leaves its subscriber at. */
function findPlace(message: StreamMessage): EventPosition {
  if (message.kind === 'event') return getPosition(message.event)
  return message.kind === 'reorg' ? getPosition(message.after) : message.place
}

/** Queues a message if it concerns a subscriber. */
function deliver(feed: Feed, subscriber: Subscriber, message: StreamMessage): void {
  const place = findPlace(message)
  if (
    message.kind === 'event' &&
    !(isBeyond(place, subscriber.place) && matchesFilter(message.event, subscriber.filter))
  )
    return
  // Nothing that the subscriber has was rolled back.
  if (message.kind === 'reorg' && !isBeyond(subscriber.place, place)) return
  subscriber.place = place
  subscriber.queue.push(message)
  if (subscriber.queue.length > maxRecent) remove(feed, subscriber)
  subscriber.wake()
}

const add = (feed: Feed, subscriber: Subscriber): void => {
  const key = chooseKey(subscriber.filter)
  const subscribers = feed.byKey.get(key) ?? new Set()
  feed.byKey.set(key, subscribers.add(subscriber))
}

function remove(feed: Feed, subscriber: Subscriber): void {
  const key = chooseKey(subscriber.filter)
  const subscribers = feed.byKey.get(key)
  if (subscribers?.delete(subscriber) && subscribers.size === 0) feed.byKey.delete(key)
}

const has = (feed: Feed, subscriber: Subscriber) => feed.byKey.get(chooseKey(subscriber.filter))?.has(subscriber)

/** The condition of a filter that the fewest events meet. */
function chooseKey({ task, address, event }: EventFilter): string {
  if (task !== undefined) return `task ${task}`
  if (address !== undefined) return address
  return event ?? everything
}

/** The keys of all filters that an event can match. */
const listKeys = (event: EventEntry): ReadonlySet<string> =>
  new Set([
    everything,
    event.name,
    ...(event.task === null ? [] : [`task ${event.task}`]),
    ...listEventAddresses(event),
  ])

/** Waits until the feed has read another block or is over, at most `ms`. */
async function waitForBlock(feed: Feed, changes: Changes, ms: number): Promise<void> {
  feed.waiting.add(changes.notify)
  await changes.wait(ms)
  feed.waiting.delete(changes.notify)
}

interface Changes {
  notify: () => void
  /** Whether there was a change, or the signal was aborted, within `ms`. */
  wait: (ms: number) => Promise<boolean>
}

function createSignal(signal: AbortSignal): Changes {
  let wake: ((changed: boolean) => void) | null = null
  let isChanged = false
  const notify = () => {
    isChanged = true
    wake?.(true)
  }
  signal.addEventListener('abort', notify, { once: true })
  return {
    notify,
    wait: async (ms) => {
      if (!isChanged && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<boolean>()
        const timer = setTimeout(resolve, ms, false)
        wake = resolve
        await promise
        clearTimeout(timer)
        wake = null
      }
      const changed = isChanged || signal.aborted
      isChanged = false
      return changed
    },
  }
}
