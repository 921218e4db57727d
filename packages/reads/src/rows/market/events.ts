import { eventJson, eventJsonOf, listMetaJson } from '@svc/protocol/http'
import { limit, market, minBlock } from '@svc/serve'
import { z } from 'zod'
import { eventCursor, eventCursorOf, eventPosition } from '../../eventCursor.ts'
import { defineRead } from '../../read.ts'

/** GET /api/market/events: what happened, in the order of the chain. */
export const events = defineRead({
  path: '/api/market/events',
  summary: 'List the events of one market in the order of the chain: those after a cursor, or the newest.',
  description:
    'Asked for with `Accept: text/event-stream` it goes on, for an hour at a time, and a `Last-Event-ID` takes it up again. An id is `block:logIndex:mark`, the mark being the first 8 digits of the block hash; it is left out, and not looked at, once the index keeps that hash no more: of final blocks with 8,000 after them. An event named `reorg` says after which id everything was taken back. One named `lost` says that events were taken back and not how many, as when the block of the `Last-Event-ID` was replaced meanwhile: read again what you keep, or ask with an older id of yours until none is `lost`; the stream itself goes on after the id of `lost`, which is the newest event, or a place after it where none is near.',
  tag: 'market',
  query: { market, limit, cursor: eventCursor, minBlock },
  answer: z.object({ events: z.array(eventJson), meta: listMetaJson }),
  partial: true,
  marketOf: ({ market }) => market,
  async read({ market, limit, cursor }, reader) {
    const after = cursor === undefined ? undefined : eventPosition(cursor)
    const { events, next, block } = await reader.listEvents(market, { limit, after })
    return {
      body: { events: events.map((event) => eventJsonOf(event, market)) },
      meta: { nextCursor: next && eventCursorOf(next) },
      block,
    }
  },
})
