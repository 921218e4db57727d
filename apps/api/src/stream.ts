import type { Market } from '@svc/protocol'
import { eventJsonOf } from '@svc/protocol/http'
import { eventCursorOf, streamIdOf, streamPlace } from '@svc/reads'
import { awayError, type Facts, HttpError, headersOf, open } from '@svc/serve'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Tail, Tiding } from './reads/tail.ts'

/** So many may listen to one replica. */
const maxStreams = 1_000
/** A stream ends after an hour: the client takes it up again, at another replica perhaps. */
const lifeMs = 3_600_000

/** Answers with a market's events as they happen, until the client leaves or the replica stops. */
export function createStream(tail: Tail, stopping: AbortSignal) {
  let listeners = 0

  return function stream(c: Context<{ Bindings: Facts }>, { market, cursor }: { market: Market; cursor?: string }) {
    if (listeners >= maxStreams) throw awayError('BUSY', 'Too many listen here already.', 5)
    const from = c.req.header('last-event-id') ?? cursor
    const after = from === undefined ? undefined : streamPlace(from)
    const signal = AbortSignal.any([c.req.raw.signal, stopping, AbortSignal.timeout(lifeMs)])
    listeners++
    const headers = { ...headersOf(c.env), ...open, 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return streamSSE(c, async (sse) => {
      try {
        for await (const tiding of tail(market, after, signal)) {
          if (sse.aborted || sse.closed) return
          // A comment: proxies and clients see that the connection lives.
          if (tiding.kind === 'quiet') await sse.write(':\n\n')
          else await sse.writeSSE(messageOf(tiding, market))
        }
      } catch (error) {
        // What cannot be read now ends the stream: the client comes back with the last id it heard.
        if (!(error instanceof HttpError)) throw error
      } finally {
        listeners--
      }
    })
  }
}

function messageOf(
  tiding: Exclude<Tiding, { kind: 'quiet' }>,
  market: Market,
): { data: string; event?: string; id: string } {
  switch (tiding.kind) {
    case 'event':
      return { data: JSON.stringify(eventJsonOf(tiding.event, market)), id: streamIdOf(tiding.event) }
    case 'reorg': {
      const after = streamIdOf(tiding.after)
      return { event: 'reorg', data: JSON.stringify({ after }), id: after }
    }
    // With an id, or a client that keeps the old one would come back with it for ever.
    case 'lost':
      return { event: 'lost', data: '{}', id: tiding.newest ? streamIdOf(tiding.newest) : eventCursorOf(tiding.place) }
  }
}
