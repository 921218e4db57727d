import type { At, BlockRef, EventEntry, EventPage, EventPosition } from '@svc/chain'
import { blockMark, type StreamPosition, streamLimits } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { Reads } from './reads.ts'
import type { Watch } from './watch.ts'

/** A message to a subscriber of a market. */
export type StreamMessage =
  | { kind: 'event'; event: EventEntry }
  /** A reorg rolled back everything after this event. */
  | { kind: 'reorg'; after: EventEntry }
  /**
   * The reorg was deeper than the remembered events. The stream continues after this event, or after this position if there
   * is no recent event.
   */
  | { kind: 'lost'; newest: EventEntry | null; place: EventPosition }

/** Where a tail is. It goes on after the next block. */
export type TailProgress =
  /** Everything up to this block was sent. `place` is the position of the last event. */
  | { kind: 'current'; block: BlockRef; place: EventPosition }
  /** The reader has not reached the position, or there is more to look through. */
  | { kind: 'behind' }

export interface TailOptions {
  reads: Reads
  watch: Watch
  /** The longest time without a look at the chain. */
  waitMs?: number
  /** How many events are remembered, to find the exact event that a reorg rolled back to. */
  memory?: number
  now?: () => number
}

const pageSize = 100
/** No reorg is deeper than this many blocks. */
const unsettled = 256n
/** The chain reader covers a limited block range per page. After this many empty pages, wait for the next block. */
const maxLooks = 5

/**
 * Follows a market's events from a position, or from now if none is given. It never ends. Concurrent tails share the reads of
 * each page.
 */
export function createTail({
  reads,
  watch,
  waitMs = streamLimits.heartbeatSeconds * 1000,
  memory = 256,
  now = Date.now,
}: TailOptions) {
  const asked = new Map<string, Promise<At<EventPage>>>()

  /** Events from a position on, inclusive. */
  function pageFrom(market: Market, { block, logIndex }: EventPosition, limit = pageSize): Promise<At<EventPage>> {
    const key = `${market} ${block}:${logIndex} ${limit} ${findVersion(market)}`
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
  const findVersion = (market: Market) => (watch.indexed(market) ?? watch.head())?.hash

  const isThere = async (market: Market, event: EventEntry) => {
    const [found] = (await pageFrom(market, getPosition(event), 1)).events
    return found !== undefined && isSame(found, event)
  }

  /** How many of the events are still on the chain. A reorg removes only the last ones, so this is a binary search. */
  async function countStillOnChain(market: Market, events: readonly EventEntry[]): Promise<number> {
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
   * The first events after a position, if any, and the position up to which everything was searched. Without an index, an empty
   * page may end long before the head.
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
    const { next, block } = page
    const isEnd = !next || next.block <= at.block || next.block >= block.number
    const settled = { block: first.block.number - unsettled, logIndex: 0 }
    return {
      here: first.events.find((event) => isAt(event, place)),
      fresh: page.events.filter((event) => isAfter(event, place)),
      block: first.block,
      // After a change between the reads, the event at the position may be gone.
      isAll: isEnd && block.hash === first.block.hash && block.number >= place.block,
      looked: later(place, at.block < settled.block ? at : settled),
    }
  }

  return async function* tail(
    market: Market,
    from: StreamPosition | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<StreamMessage | TailProgress> {
    // The events that were sent, as far as they are remembered. If the last one is not on the chain, there was a reorg.
    let { delivered, place } = from
      ? { delivered: [] as EventEntry[], place: from as EventPosition }
      : await end(market)
    let [mark, looked] = [from?.mark ?? null, place]
    while (!signal.aborted) {
      const version = findVersion(market)
      const { here, fresh, block, isAll, ...found } = await eventsAfter(market, place, looked)
      const last = delivered.at(-1)
      // A reader that has not reached the position yet cannot say what is there.
      const isGone = last ? !(here && isSame(here, last)) : block.number >= place.block && !fits(here, mark)
      if (isGone) {
        delivered = delivered.slice(0, await countStillOnChain(market, delivered))
        const after = delivered.at(-1)
        if (after) place = getPosition(after)
        else ({ delivered, place } = await end(market))
        ;[mark, looked] = [null, place]
        yield after ? { kind: 'reorg', after } : { kind: 'lost', newest: delivered.at(-1) ?? null, place }
        continue
      }
      if (!last && here) delivered.push(here)
      looked = found.looked
      for (const event of fresh) {
        yield { kind: 'event', event }
        delivered.push(event)
        place = getPosition(event)
      }
      delivered = delivered.slice(-memory)
      if (fresh.length > 0) continue
      yield isAll ? { kind: 'current', block, place } : { kind: 'behind' }
      await waitForChange(market, version, signal)
    }
  }

  /** Waits until the market has another version, at most `waitMs`. */
  async function waitForChange(market: Market, version: string | undefined, signal: AbortSignal): Promise<void> {
    const end = now() + waitMs
    while (!signal.aborted && now() < end && findVersion(market) === version) await watch.changed(end - now())
  }

  /** The newest events; if there is no recent one, a position below any possible reorg. */
  async function end(market: Market): Promise<{ delivered: EventEntry[]; place: EventPosition }> {
    const { events, block } = await reads.read(market, (reader) => reader.listEvents(market, { limit: pageSize }))
    const newest = events.at(-1)
    if (newest) return { delivered: [...events], place: getPosition(newest) }
    return { delivered: [], place: later({ block: 0n, logIndex: 0 }, { block: block.number - unsettled, logIndex: 0 }) }
  }
}

export type Tail = ReturnType<typeof createTail>

export const getPosition = ({ blockNumber, logIndex }: EventEntry): EventPosition => ({ block: blockNumber, logIndex })
const later = (a: EventPosition, b: EventPosition): EventPosition => (b.block > a.block ? b : a)
const isAt = ({ blockNumber, logIndex }: EventEntry, { block, logIndex: index }: EventPosition) =>
  blockNumber === block && logIndex === index
export const isBeyond = (place: EventPosition, { block, logIndex }: EventPosition) =>
  place.block > block || (place.block === block && place.logIndex > logIndex)
const isAfter = (event: EventEntry, place: EventPosition) => isBeyond(getPosition(event), place)
/** Whether the event at a position can be the one that the mark was issued for. */
const fits = (event: EventEntry | undefined, mark: string | null) =>
  mark === null || (event !== undefined && (event.blockHash === null || blockMark(event.blockHash) === mark))
/** The same event in the same block, so everything before it is the same too. Old blocks have no hash: they cannot be replaced. */
const isSame = (a: EventEntry, b: EventEntry) =>
  a.blockNumber === b.blockNumber &&
  a.logIndex === b.logIndex &&
  a.transactionHash === b.transactionHash &&
  a.timestamp === b.timestamp &&
  (a.blockHash === null || b.blockHash === null || a.blockHash === b.blockHash)
