import {
  formatEvent,
  formatEventCursor,
  formatStreamId,
  parseStreamId,
  ServiceError,
  type StreamPosition,
  unavailable,
} from '@svc/operations'
import type { Market } from '@svc/protocol'
import { buildCommonHeaders, open, type RequestContext } from '@svc/serve'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { StreamMessage, Tail } from './reads/tail.ts'

/** Maximum number of open streams per replica. */
const maxStreams = 1_000
/** A stream ends after an hour. The client then reconnects, perhaps to another replica. */
const lifeMs = 3_600_000

/** Streams a market's events as they happen, until the client disconnects or the replica stops. */
export function createStream(tail: Tail, stopping: AbortSignal) {
  let listeners = 0

  return function stream(
    c: Context<{ Bindings: RequestContext }>,
    { market, cursor }: { market: Market; cursor?: StreamPosition | undefined },
  ) {
    if (listeners >= maxStreams) throw unavailable('BUSY', 'Too many streams are open.', 5)
    const lastId = c.req.header('last-event-id')
    const after = lastId === undefined ? cursor : parseStreamId(lastId)
    if (after === null) {
      throw new ServiceError('INVALID_CURSOR', 'Last-Event-ID must be an id of the stream, or block:logIndex.')
    }
    const signal = AbortSignal.any([c.req.raw.signal, stopping, AbortSignal.timeout(lifeMs)])
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

function formatSseMessage(
  message: Exclude<StreamMessage, { kind: 'quiet' }>,
  market: Market,
): { data: string; event?: string; id: string } {
  switch (message.kind) {
    case 'event':
      return { data: JSON.stringify(formatEvent(message.event, market)), id: formatStreamId(message.event) }
    case 'reorg': {
      const after = formatStreamId(message.after)
      return { event: 'reorg', data: JSON.stringify({ after }), id: after }
    }
    // Send an id, or the client would reconnect with the outdated one forever.
    case 'lost':
      return {
        event: 'lost',
        data: '{}',
        id: message.newest ? formatStreamId(message.newest) : formatEventCursor(message.place),
      }
  }
}
