import {
  type EventFilter,
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
import { buildCommonHeaders, type ClientSlots, open, type RequestContext } from '@svc/serve'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Subscribe } from './reads/fanOut.ts'
import type { StreamMessage } from './reads/tail.ts'

/** Streams a market's events as they happen, until the client disconnects or the replica stops. */
export function createStream(subscribe: Subscribe, slots: ClientSlots, stopping: AbortSignal) {
  return function stream(
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
    const evicted = new AbortController()
    const slot = slots.take(c.env.client, () => evicted.abort())
    if (slot === 'full') throw unavailable('BUSY', 'Too many streams are open.', streamLimits.fullSeconds)
    if (slot === 'client') {
      const retryAfter = streamLimits.fullSeconds
      throw new ServiceError('RATE_LIMITED', 'Too many streams from this address are open.', { retryAfter })
    }
    const lifeMs = streamLimits.lifeSeconds * 1000
    const signal = AbortSignal.any([c.req.raw.signal, stopping, evicted.signal, AbortSignal.timeout(lifeMs)])
    const headers = { ...buildCommonHeaders(c.env), ...open, 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return streamSSE(c, async (sse) => {
      try {
        for await (const message of subscribe(market, after, signal, filter)) {
          if (sse.aborted || sse.closed) return
          // An SSE comment keeps the connection alive through proxies.
          await waitUnlessAborted(sse.write(message.kind === 'quiet' ? ':\n\n' : formatOnce(message, market)), signal)
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

/** Messages are written once, however many streams they go to. */
const texts = new WeakMap<StreamMessage, string>()

function formatOnce(message: StreamMessage, market: Market): string {
  const known = texts.get(message)
  if (known !== undefined) return known
  const text = formatSseMessage(message, market)
  texts.set(message, text)
  return text
}

function formatSseMessage(message: StreamMessage, market: Market): string {
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

/** A message without a name is a `message`. JSON has no line breaks. */
const format = <Name extends keyof StreamData>(name: Name, id: string, data: StreamData[Name]): string =>
  `${name === 'message' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\nid: ${id}\n\n`
