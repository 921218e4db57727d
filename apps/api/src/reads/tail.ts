import type { EventEntry, EventPosition } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Reads } from './reads.ts'
import type { Watch } from './watch.ts'

/** What a follower of a market hears. */
export type Tiding =
  | { kind: 'event'; event: EventEntry }
  /** Everything after this place was taken back by a reorganisation. */
  | { kind: 'reorg'; after: EventPosition }
  /** Nothing happened for a while. */
  | { kind: 'quiet' }
  /** More was taken back than is remembered here: begin again. */
  | { kind: 'lost' }

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

/**
 * Follows a market's events from a place on, for ever; from now on where none is given. However many follow, each page is
 * read once.
 */
export function createTail({ reads, watch, quietMs = 15_000, memory = 256, now = Date.now }: TailOptions) {
  const asked = new Map<string, Promise<readonly EventEntry[]>>()

  /** Events from a place on, that place included. */
  function pageFrom(
    market: Market,
    { block, logIndex }: EventPosition,
    limit = pageSize,
  ): Promise<readonly EventEntry[]> {
    const key = `${market} ${block}:${logIndex} ${limit} ${versionOf(market)}`
    const before = logIndex > 0 ? { block, logIndex: logIndex - 1 } : { block: block - 1n, logIndex: endOfBlock }
    const page =
      asked.get(key) ??
      reads
        .read(market, (reader) => reader.listEvents(market, { limit, after: before }))
        .then(({ events }) => events)
        .finally(() => asked.delete(key))
    asked.set(key, page)
    return page
  }

  /** The block that pages are read at. */
  const versionOf = (market: Market) => (watch.indexed(market) ?? watch.head())?.hash

  const isThere = async (market: Market, event: EventEntry) => {
    const [found] = await pageFrom(market, placeOf(event), 1)
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

  return async function* tail(
    market: Market,
    from: EventPosition | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Tiding> {
    let place = from ?? (await newest(market))
    let told: EventEntry[] = []
    while (!signal.aborted) {
      const page = await pageFrom(market, place)
      const last = told.at(-1)
      if (last && !(page[0] && isSame(page[0], last))) {
        told = told.slice(0, await lasting(market, told))
        const end = told.at(-1)
        if (!end) return yield { kind: 'lost' }
        place = placeOf(end)
        yield { kind: 'reorg', after: place }
        continue
      }
      // The first one is the last that was told, or the place that was asked for.
      const fresh = page.filter((event) => isAfter(event, place))
      for (const event of fresh) {
        yield { kind: 'event', event }
        told.push(event)
        place = placeOf(event)
      }
      told = told.slice(-memory)
      if (fresh.length > 0) continue
      if (!(await moved(market, signal))) yield { kind: 'quiet' }
    }
  }

  /** Whether the market moved before it was quiet for too long. */
  async function moved(market: Market, signal: AbortSignal): Promise<boolean> {
    const [before, end] = [versionOf(market), now() + quietMs]
    while (!signal.aborted && now() < end) {
      await watch.changed(end - now())
      if (versionOf(market) !== before) return true
    }
    return false
  }

  async function newest(market: Market): Promise<EventPosition> {
    const { next } = await reads.read(market, (reader) => reader.listEvents(market, { limit: 1 }))
    return next ?? { block: 0n, logIndex: 0 }
  }
}

export type Tail = ReturnType<typeof createTail>

/** Beyond every log of a block. */
const endOfBlock = 2 ** 31 - 1
const placeOf = ({ blockNumber, logIndex }: EventEntry): EventPosition => ({ block: blockNumber, logIndex })
const isAfter = ({ blockNumber, logIndex }: EventEntry, { block, logIndex: index }: EventPosition) =>
  blockNumber > block || (blockNumber === block && logIndex > index)
const isSame = (a: EventEntry, b: EventEntry) =>
  a.blockNumber === b.blockNumber &&
  a.logIndex === b.logIndex &&
  a.transactionHash === b.transactionHash &&
  a.timestamp === b.timestamp
