import { marketAbis } from '@svc/protocol/fold'
import * as z from 'zod'
import { parseStreamId } from '../eventCursor.ts'
import { type EventFilter, maxFilteredEvents } from '../eventFilter.ts'
import { eventJson } from '../json/event.ts'
import { listMetaJson } from '../json/meta.ts'
import { streamData } from '../json/stream.ts'
import { defineRead } from '../operation.ts'
import { address, limit, oneMarket, readTaskId, taskIdInput } from '../params.ts'
import { streamLimits } from '../streamLimits.ts'

const { heartbeatSeconds, retrySeconds, silenceSeconds, openPerClient } = streamLimits
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

const eventNames: ReadonlySet<string> = new Set(
  Object.values(marketAbis).flatMap((abi) => abi.flatMap((item) => (item.type === 'event' ? [item.name] : []))),
)
const event = z
  .string()
  .refine((name) => eventNames.has(name), 'event must be the name of an event, such as TaskPosted')
  .optional()
  .describe('Only events with this name, such as `TaskPosted`.')

const input = z
  .object({
    market: oneMarket.optional().describe('Market: standard or micro; default that of `taskId`, or standard.'),
    limit,
    cursor,
    taskId: taskIdInput.optional().describe('Only events about this task.'),
    address: address.optional().describe('Only events with this address among their arguments.'),
    event,
  })
  .transform(({ market, limit, cursor, taskId, address, event }, context) => {
    const task = taskId === undefined ? undefined : readTaskId(taskId, context, ['taskId'], market)
    const filter: EventFilter = { task: task?.number, address, event }
    const isFiltered = [task, address, event].some((each) => each !== undefined)
    return { market: market ?? task?.market ?? 'standard', limit, cursor, filter: isFiltered ? filter : undefined }
  })

export const listEvents = defineRead('listEvents', {
  summary: 'List the events of one market in chain order: those after a cursor, or the newest.',
  description: `With \`Accept: text/event-stream\` the response is a stream of the same events as they happen. \`taskId\`, \`address\` and \`event\` select events, on a page and on a stream; all that are given must match. A page with one of them looks through ${maxFilteredEvents} events at most and can be short or empty: continue with \`meta.nextCursor\` until it stays the same.`,
  tag: 'market',
  chainCost: 3,
  input,
  headers: {
    'Last-Event-ID':
      'Only for the stream: id of the last message you received. The stream continues after it, and `cursor` is ignored. Without both you get new events only.',
  },
  stream: {
    description: [
      'Server-sent events, with `Accept: text/event-stream`. Each message has an `id`, `block:logIndex:mark`. The mark is the first 8 digits of the block hash; it is omitted and ignored for final blocks that are at least 8,000 blocks deep, whose hash the index no longer stores.',
      `A comment is sent after ${heartbeatSeconds} seconds without a message. A stream ends after ${life} seconds, or when a replica stops. Then reconnect after ${retrySeconds} second with the last id in \`Last-Event-ID\`: nothing is lost or sent twice. If no message and no comment arrives for ${silenceSeconds} seconds, the connection is dead: reconnect too.`,
      `A client has at most ${openPerClient} streams at once; further ones are answered with 429 \`RATE_LIMITED\`. A replica serves ${open} streams itself; where nginx holds them, only those with a filter count. When it is full, the network with the most streams gives one up for a network with fewer; otherwise the answer is 503 \`BUSY\`. Both have \`Retry-After\`. \`limit\` and \`minBlock\` have no effect.`,
    ].join('\n\n'),
    messages: streamData,
  },
  output: z.object({
    events: z.array(eventJson).describe('Events in the order of the chain.'),
    meta: listMetaJson,
  }),
  errors: ['INVALID_TASK_ID', 'INVALID_ADDRESS'],
})
