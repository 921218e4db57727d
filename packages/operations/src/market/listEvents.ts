import * as z from 'zod'
import { parseStreamId } from '../eventCursor.ts'
import { eventJson } from '../json/event.ts'
import { listMetaJson } from '../json/meta.ts'
import { defineRead } from '../operation.ts'
import { limit, market } from '../params.ts'

const cursor = z
  .string()
  .max(60)
  .transform((text, context) => {
    const position = parseStreamId(text)
    if (position) return position
    context.addIssue({ code: 'custom', message: 'cursor must be block:logIndex, or an id of the stream' })
    return z.NEVER
  })
  .optional()
  .describe(
    'Return events after this position: `meta.nextCursor`, or the id of a stream event; `0:0` starts at the first event.',
  )

export const listEvents = defineRead('listEvents', {
  summary: 'List the events of one market in chain order: those after a cursor, or the newest.',
  description:
    'With `Accept: text/event-stream` the response is a stream of server-sent events that stays open for up to an hour; resume it with `Last-Event-ID`. An id is `block:logIndex:mark`. The mark is the first 8 digits of the block hash; it is omitted and ignored for final blocks that are at least 8,000 blocks deep, whose hash the index no longer stores. An event named `reorg` carries the id after which everything was rolled back. An event named `lost` means that an unknown number of events was rolled back, for example because the block of your `Last-Event-ID` was replaced: read your data again, or retry with an older id until you get no `lost`. After `lost` the stream continues at its id, which is the newest event, or a position after it if there is none nearby.',
  tag: 'market',
  input: z.object({ market, limit, cursor }),
  output: z.object({
    events: z.array(eventJson).describe('Events in the order of the chain.'),
    meta: listMetaJson,
  }),
})
