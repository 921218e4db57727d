import {
  type At,
  ChainReadError,
  type EventEntry,
  type EventPage,
  type EventQuery,
  endOfBlock,
  eventWindow,
  type MarketDeployment,
  type MarketReader,
  type PageQuery,
  type TaskPage,
} from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'

/** Maximum number of chain pages that are read for one page. Beyond it, only an index can verify. */
const maxPages = 500

/** Maximum number of logs in a window of events. */
const maxLogs = 10_000

/** The position before every log of a block. */
const beforeAll = -1

/**
 * Wraps a reader so that its pages look like those of an index: full, and with a next page only if something follows. The chain
 * reader alone stops after a limited range. The wrapped reader must be pinned to one block.
 */
export function completeReader(
  reader: MarketReader,
  { startBlock }: Pick<MarketDeployment, 'startBlock'>,
): MarketReader {
  const complete: MarketReader = {
    ...reader,

    async listOpen(market, { limit, before }): Promise<At<TaskPage>> {
      const found: TaskSnapshot[] = []
      let from = before
      for (let page = 0; page < maxPages; page++) {
        const { tasks, next, block } = await reader.listOpen(market, { limit: limit + 1, before: from })
        found.push(...tasks)
        if (found.length <= limit && next !== null) {
          from = next
          continue
        }
        const shown = found.slice(0, limit)
        return { tasks: shown, next: found.length > limit ? (shown.at(-1)?.number ?? null) : null, block }
      }
      throw tooFar(`open tasks`)
    },

    async listWithTexts(market, list, query) {
      if (list.of !== 'open') return reader.listWithTexts(market, list, query)
      const page = await complete.listOpen(market, query)
      const numbers = page.tasks.map(({ number }) => number)
      return { ...page, texts: (await reader.getTexts(market, numbers)).texts }
    },

    listEvents: (market, query) => (query.after ? eventsAfter(market, query) : newestEvents(market, query)),
  }
  return complete

  async function eventsAfter(market: Market, { limit, after }: EventQuery): Promise<At<EventPage>> {
    const events: EventEntry[] = []
    let from = after
    for (let page = 0; page < maxPages; page++) {
      const {
        events: some,
        next,
        block,
      } = await reader.listEvents(market, { limit: limit - events.length, after: from })
      events.push(...some)
      const isLast = !next || next.block >= block.number || next.logIndex !== endOfBlock
      if (events.length < limit && !isLast) {
        from = next
        continue
      }
      return pageOf(events, after, block)
    }
    throw tooFar('events after this cursor')
  }

  async function newestEvents(market: Market, { limit }: PageQuery): Promise<At<EventPage>> {
    const head = await reader.head()
    const events: EventEntry[] = []
    let to = head.number
    for (let page = 0; page < maxPages; page++) {
      const from = to - eventWindow + 1n > startBlock ? to - eventWindow + 1n : startBlock
      const after = { block: from, logIndex: beforeAll }
      const { events: some } = await reader.listEvents(market, { limit: maxLogs, after })
      events.unshift(...some.filter(({ blockNumber }) => blockNumber <= to))
      if (events.length >= limit || from === startBlock) return pageOf(events.slice(-limit), undefined, head)
      to = from - 1n
    }
    throw tooFar('newest events')
  }
}

function pageOf(
  events: readonly EventEntry[],
  after: EventQuery['after'],
  block: At<EventPage>['block'],
): At<EventPage> {
  const end = events.at(-1)
  return { events, next: end ? { block: end.blockNumber, logIndex: end.logIndex } : (after ?? null), block }
}

const tooFar = (what: string) =>
  new ChainReadError(`The ${what} span more than ${maxPages} pages of the chain.`, { retryable: false })
