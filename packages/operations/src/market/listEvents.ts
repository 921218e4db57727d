import * as z from 'zod'
import { parseStreamId } from '../eventCursor.ts'
import { eventJson } from '../json/event.ts'
import { listMetaJson } from '../json/meta.ts'
import { streamData, streamLimits } from '../json/stream.ts'
import { defineRead } from '../operation.ts'
import { limit, market } from '../params.ts'

const { heartbeatSeconds, retrySeconds } = streamLimits
const life = streamLimits.lifeSeconds.toLocaleString('en')
const open = streamLimits.open.toLocaleString('en')

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
  description: 'With `Accept: text/event-stream` the response is a stream of the same events as they happen.',
  tag: 'market',
  input: z.object({ market, limit, cursor }),
  headers: {
    'Last-Event-ID':
      'Only for the stream: id of the last message you received. The stream continues after it, and `cursor` is ignored. Without both you get new events only.',
  },
  stream: {
    description: [
      'Server-sent events, with `Accept: text/event-stream`. Each message has an `id`, `block:logIndex:mark`. The mark is the first 8 digits of the block hash; it is omitted and ignored for final blocks that are at least 8,000 blocks deep, whose hash the index no longer stores.',
      `A comment is sent after ${heartbeatSeconds} seconds without a message. A stream ends after ${life} seconds, or when a replica stops. Then reconnect after ${retrySeconds} second with the last id in \`Last-Event-ID\`: nothing is lost or sent twice. If no message and no comment arrives for ${2 * heartbeatSeconds} seconds, the connection is dead: reconnect too.`,
      `A replica serves ${open} streams at once and answers further ones with 503 \`BUSY\` and \`Retry-After\`. \`limit\` and \`minBlock\` have no effect.`,
    ].join('\n\n'),
    messages: streamData,
  },
  output: z.object({
    events: z.array(eventJson).describe('Events in the order of the chain.'),
    meta: listMetaJson,
  }),
})
