import {
  formatEvent,
  formatEventCursor,
  formatStreamId,
  parseStreamId,
  ServiceError,
  type StreamData,
  type StreamPosition,
  streamLimits,
  unavailable,
} from '@svc/operations'
import type { Market } from '@svc/protocol'
import { buildCommonHeaders, open, type RequestContext } from '@svc/serve'
import type { Context } from 'hono'
import { type SSEMessage, streamSSE } from 'hono/streaming'
import type { StreamMessage, Tail } from './reads/tail.ts'

/** Streams a market's events as they happen, until the client disconnects or the replica stops. */
export function createStream(tail: Tail, stopping: AbortSignal) {
  let listeners = 0

  return function stream(
    c: Context<{ Bindings: RequestContext }>,
    { market, cursor }: { market: Market; cursor?: StreamPosition | undefined },
  ) {
    if (listeners >= streamLimits.open) throw unavailable('BUSY', 'Too many streams are open.', 5)
    const lastId = c.req.header('last-event-id')
    const after = lastId === undefined ? cursor : parseStreamId(lastId)
    if (after === null) {
      throw new ServiceError('INVALID_CURSOR', 'Last-Event-ID must be an id of the stream, or block:logIndex.')
    }
    const signal = AbortSignal.any([c.req.raw.signal, stopping, AbortSignal.timeout(streamLimits.lifeSeconds * 1000)])
    listeners++
    const headers = { ...buildCommonHeaders(c.env), ...open, 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return streamSSE(c, async (sse) => {
      try {
        for await (const message of tail(market, after, signal)) {
          if (sse.aborted || sse.closed) return
          // An SSE comment keeps the connection alive through proxies.
          if (message.kind === 'quiet') await sse.write(':\n\n')
          else await sse.writeSSE(formatSseMessage(message, market))
        }
      } catch (error) {
        // A failed read ends the stream: the client reconnects with the last id it received.
        if (!(error instanceof ServiceError)) throw error
      } finally {
        listeners--
      }
    })
  }
}

function formatSseMessage(message: Exclude<StreamMessage, { kind: 'quiet' }>, market: Market): SSEMessage {
  switch (message.kind) {
    case 'event':
      return format('message', formatStreamId(message.event), formatEvent(message.event, market))
    case 'reorg': {
      const after = formatStreamId(message.after)
      return format('reorg', after, { after })
    }
    // Send an id, or the client would reconnect with the outdated one forever.
    case 'lost':
      return format('lost', message.newest ? formatStreamId(message.newest) : formatEventCursor(message.place), {})
  }
}

/** A message without a name is a `message`. */
const format = <Name extends keyof StreamData>(name: Name, id: string, data: StreamData[Name]): SSEMessage => ({
  ...(name !== 'message' && { event: name }),
  data: JSON.stringify(data),
  id,
})
