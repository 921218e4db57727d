import type { At, EventEntry, EventPage, EventPosition } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { markOf, type StreamPlace } from '@svc/reads'
import type { Reads } from './reads.ts'
import type { Watch } from './watch.ts'

/** What a follower of a market hears. */
export type Tiding =
  | { kind: 'event'; event: EventEntry }
  /** Everything after this event was taken back by a reorganisation. */
  | { kind: 'reorg'; after: EventEntry }
  /** Nothing happened for a while. */
  | { kind: 'quiet' }
  /** More was taken back than is remembered here. What follows comes after this event, or after this place where none is near. */
  | { kind: 'lost'; newest: EventEntry | null; place: EventPosition }

export interface TailOptions {
  reads: Reads
  watch: Watch
  /** How long nothing may be said. */
  quietMs?: number
  /** So many events back a reorganisation is told exactly. */
  memory?: number
  now?: () => number
}

const pageSize = 100
/** No reorganisation takes back more blocks than these. */
const unsettled = 256n
/** A reader of the chain alone sees so many blocks at a time; after so many such looks the next block is waited for. */
const maxLooks = 5

/**
 * Follows a market's events from a place on, for ever; from now on where none is given. However many follow, each page is
 * read once.
 */
export function createTail({ reads, watch, quietMs = 15_000, memory = 256, now = Date.now }: TailOptions) {
  const asked = new Map<string, Promise<At<EventPage>>>()

  /** Events from a place on, that place included. */
  function pageFrom(market: Market, { block, logIndex }: EventPosition, limit = pageSize): Promise<At<EventPage>> {
    const key = `${market} ${block}:${logIndex} ${limit} ${versionOf(market)}`
    const before = { block, logIndex: logIndex - 1 }
    const page =
      asked.get(key) ??
      reads
        .read(market, (reader) => reader.listEvents(market, { limit, after: before }))
        .finally(() => asked.delete(key))
    asked.set(key, page)
    return page
  }

  /** The block that pages are read at. */
  const versionOf = (market: Market) => (watch.indexed(market) ?? watch.head())?.hash

  const isThere = async (market: Market, event: EventEntry) => {
    const [found] = (await pageFrom(market, placeOf(event), 1)).events
    return found !== undefined && isSame(found, event)
  }

  /** How many of the events are still on the chain: a reorganisation takes back the last ones. */
  async function lasting(market: Market, events: readonly EventEntry[]): Promise<number> {
    let [low, high] = [0, events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const event = events[middle]
      if (event && (await isThere(market, event))) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * The first events after a place, or none, and how far all was looked through: where there is no index a page may end long
   * before the head with nothing in it.
   */
  async function eventsAfter(market: Market, place: EventPosition, looked: EventPosition) {
    const first = await pageFrom(market, place)
    let [page, at] = [first, place]
    for (let looks = 0; looks < maxLooks && !page.events.some((event) => isAfter(event, place)); looks++) {
      const { next, block } = page
      if (!next || next.block <= at.block || next.block >= block.number) break
      at = later(next, looked)
      page = await pageFrom(market, at)
    }
    const settled = { block: first.block.number - unsettled, logIndex: 0 }
    return {
      here: first.events.find((event) => isAt(event, place)),
      fresh: page.events.filter((event) => isAfter(event, place)),
      block: first.block,
      looked: later(place, at.block < settled.block ? at : settled),
    }
  }

  return async function* tail(
    market: Market,
    from: StreamPlace | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Tiding> {
    // What the follower has, as far as it is known here: the last of it must be on the chain, or something was taken back.
    let { told, place } = from ? { told: [] as EventEntry[], place: from as EventPosition } : await end(market)
    let [mark, looked] = [from?.mark ?? null, place]
    while (!signal.aborted) {
      const version = versionOf(market)
      const { here, fresh, block, ...found } = await eventsAfter(market, place, looked)
      const last = told.at(-1)
      // A reader that has not come to the place yet cannot say what is there.
      const isGone = last ? !(here && isSame(here, last)) : block.number >= place.block && !fits(here, mark)
      if (isGone) {
        told = told.slice(0, await lasting(market, told))
        const after = told.at(-1)
        if (after) place = placeOf(after)
        else ({ told, place } = await end(market))
        ;[mark, looked] = [null, place]
        yield after ? { kind: 'reorg', after } : { kind: 'lost', newest: told.at(-1) ?? null, place }
        continue
      }
      if (!last && here) told.push(here)
      looked = found.looked
      for (const event of fresh) {
        yield { kind: 'event', event }
        told.push(event)
        place = placeOf(event)
      }
      told = told.slice(-memory)
      if (fresh.length > 0) continue
      if (!(await moved(market, version, signal))) yield { kind: 'quiet' }
    }
  }

  /** Whether the market moved from a version before it was quiet for too long. */
  async function moved(market: Market, version: string | undefined, signal: AbortSignal): Promise<boolean> {
    const end = now() + quietMs
    while (!signal.aborted && now() < end) {
      if (versionOf(market) !== version) return true
      await watch.changed(end - now())
    }
    return false
  }

  /** The newest event; where none is near, a place before which nothing is taken back any more. */
  async function end(market: Market): Promise<{ told: EventEntry[]; place: EventPosition }> {
    const { events, block } = await reads.read(market, (reader) => reader.listEvents(market, { limit: 1 }))
    const [newest] = events
    if (newest) return { told: [newest], place: placeOf(newest) }
    return { told: [], place: later({ block: 0n, logIndex: 0 }, { block: block.number - unsettled, logIndex: 0 }) }
  }
}

export type Tail = ReturnType<typeof createTail>

const placeOf = ({ blockNumber, logIndex }: EventEntry): EventPosition => ({ block: blockNumber, logIndex })
const later = (a: EventPosition, b: EventPosition): EventPosition => (b.block > a.block ? b : a)
const isAt = ({ blockNumber, logIndex }: EventEntry, { block, logIndex: index }: EventPosition) =>
  blockNumber === block && logIndex === index
const isAfter = ({ blockNumber, logIndex }: EventEntry, { block, logIndex: index }: EventPosition) =>
  blockNumber > block || (blockNumber === block && logIndex > index)
/** Whether what is at a place can be what the mark was given for. */
const fits = (event: EventEntry | undefined, mark: string | null) =>
  mark === null || (event !== undefined && (event.blockHash === null || markOf(event.blockHash) === mark))
/** The same in the same block: then all before it is the same too. A block whose hash is kept no more was not replaced. */
const isSame = (a: EventEntry, b: EventEntry) =>
  a.blockNumber === b.blockNumber &&
  a.logIndex === b.logIndex &&
  a.transactionHash === b.transactionHash &&
  a.timestamp === b.timestamp &&
  (a.blockHash === null || b.blockHash === null || a.blockHash === b.blockHash)
