import { eventJson, eventJsonOf, listMetaJson } from '@svc/protocol/http'
import { limit, market, minBlock } from '@svc/serve'
import { z } from 'zod'
import { eventCursor, eventCursorOf, eventPosition } from '../../eventCursor.ts'
import { defineRead } from '../../route.ts'

/** GET /api/market/events: what happened, in the order of the chain. */
export const events = defineRead({
  path: '/api/market/events',
  summary: 'List the events of one market in the order of the chain: those after a cursor, or the newest.',
  description:
    'Asked for with `Accept: text/event-stream` it goes on for ever, and a `Last-Event-ID` takes it up again; an event named `reorg` says after which id everything was taken back.',
  tag: 'market',
  query: { market, limit, cursor: eventCursor, minBlock },
  answer: z.object({ events: z.array(eventJson), meta: listMetaJson }),
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
