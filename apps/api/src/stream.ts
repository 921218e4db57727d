import {
  type EventFilter,
  parseStreamId,
  ServiceError,
  type StreamPosition,
  streamLimits,
  unavailable,
} from '@svc/operations'
import type { Market } from '@svc/protocol'
import { buildCommonHeaders, type ClientSlots, open, type RequestContext } from '@svc/serve'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Subscribe } from './reads/fanOut.ts'
import type { StreamHub } from './streamHub.ts'
import { formatStreamMessage, heartbeat } from './streamText.ts'

export interface StreamOptions {
  subscribe: Subscribe
  slots: ClientSlots
  stopping: AbortSignal
  /** Where nginx can hold streams, by the address that it names itself with. */
  hubs: ReadonlyMap<string, StreamHub>
}

/**
 * Streams a market's events as they happen, until the client disconnects or the replica stops. Where nginx can hold streams, only
 * those with a filter stay here, and others until they have caught up.
 */
export function createStream({ subscribe, slots, stopping, hubs }: StreamOptions) {
  return async function stream(
    c: Context<{ Bindings: RequestContext }>,
    {
      market,
      cursor,
      filter,
    }: { market: Market; cursor?: StreamPosition | undefined; filter?: EventFilter | undefined },
  ) {
    const lastId = c.req.header('last-event-id')
    const after = lastId === undefined ? cursor : parseStreamId(lastId)
    if (after === null) {
      throw new ServiceError('INVALID_CURSOR', 'Last-Event-ID must be an id of the stream, or block:logIndex.')
    }
    const hub = filter ? undefined : hubs.get(c.req.header('x-stream-hub') ?? '')
    const sharedHeaders = { ...buildCommonHeaders(c.env), ...open, 'cache-control': 'no-store' }
    if (hub && (lastId !== undefined || !cursor)) {
      const path = await hub.locate(market, lastId)
      const type = { 'content-type': 'text/event-stream' }
      if (path) return c.body(null, 200, { ...sharedHeaders, ...type, 'x-accel-redirect': path })
    }
    const evicted = new AbortController()
    const slot = slots.take(c.env.client, () => evicted.abort())
    if (slot === 'full') throw unavailable('BUSY', 'Too many streams are open.', streamLimits.fullSeconds)
    if (slot === 'client') {
      const retryAfter = streamLimits.fullSeconds
      throw new ServiceError('RATE_LIMITED', 'Too many streams from this address are open.', { retryAfter })
    }
    const lifeMs = streamLimits.lifeSeconds * 1000
    const signal = AbortSignal.any([c.req.raw.signal, stopping, evicted.signal, AbortSignal.timeout(lifeMs)])
    for (const [name, value] of Object.entries({ ...sharedHeaders, 'x-accel-buffering': 'no' })) c.header(name, value)
    return streamSSE(c, async (sse) => {
      let at = lastId
      try {
        for await (const message of subscribe(market, after, signal, filter)) {
          if (sse.aborted || sse.closed) return
          const { id = at, text } =
            message.kind === 'quiet' ? { text: heartbeat } : formatStreamMessage(message, market)
          at = id
          await waitUnlessAborted(sse.write(text), signal)
          // The client connects again with this id, and goes on in nginx.
          if (at !== undefined && hub?.has(market, at)) return
        }
      } catch (error) {
        // A failed read ends the stream: the client reconnects with the last id it received.
        if (!(error instanceof ServiceError)) throw error
      } finally {
        slot()
      }
    })
  }
}

/** Waits for a write to a client, but not past the end of its stream: one that reads nothing must not keep its place. */
function waitUnlessAborted(writing: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      signal.removeEventListener('abort', end)
      done()
    }
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    writing.then(end, end)
  })
}
