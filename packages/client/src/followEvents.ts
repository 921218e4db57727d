import { ApiError, refusalOf } from './client.ts'
import { type MarketEventsAnswer, operations } from './contract.ts'
import { held } from './held.ts'

export type MarketEvent = MarketEventsAnswer['events'][number]

/** What a follower of a market hears. `id` is the place in the stream: what came after it can be asked for again. */
export type Tiding =
  | { kind: 'event'; id: string; event: MarketEvent }
  /** A reorganisation took back everything after this place. */
  | { kind: 'reorg'; id: string }
  /** More was taken back than the API remembers: read everything again. The stream goes on after this place, the newest. */
  | { kind: 'lost'; id: string }

export interface FollowOptions {
  /** Where the API is, without a path. */
  baseUrl: string
  market: 'standard' | 'micro'
  /** The place to go on after: `meta.nextCursor` of `marketEvents`. */
  after: string
  /** Ends the stream. */
  signal: AbortSignal
  fetch?: (request: Request) => Promise<Response>
  /** How long to wait before a stream that broke off is taken up again. */
  retryMs?: number
}

/** Longer than any event. */
const maxLength = 1_000_000

/**
 * A market's events as they happen, until `signal` ends it. A stream that breaks off is taken up again where it was; one that
 * the API refuses is thrown as an `ApiError`.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<Tiding, void> {
  const { baseUrl, market, signal, fetch = globalThis.fetch, retryMs = 1_000 } = options
  const url = new URL(operations.marketEvents.path, baseUrl)
  url.searchParams.set('market', market)
  let { after } = options
  while (!signal.aborted) {
    const headers = { accept: 'text/event-stream', 'last-event-id': after }
    const request = new Request(url, { headers, signal })
    held.add(request)
    try {
      const response = await fetch(request)
      if (!response.ok) throw await refusalOf(response)
      for await (const tiding of tidingsOf(response.body ?? new ReadableStream())) {
        after = tiding.id
        yield tiding
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.status < 500) throw error
    } finally {
      held.delete(request)
    }
    await pause(retryMs, signal)
  }
}

/** Reads a stream of server-sent events: each ends with an empty line. */
async function* tidingsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Tiding, void> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()]
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      if (text.length > maxLength) throw new Error('An event of the stream is too long.')
      for (const block of blocks) {
        const { event, id, data } = fieldsOf(block)
        if ((event === 'reorg' || event === 'lost') && id) yield { kind: event, id }
        else if (event === undefined && id && data) yield { kind: 'event', id, event: JSON.parse(data) }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function fieldsOf(block: string): Record<string, string | undefined> {
  const lines = block.split('\n').filter((line) => !line.startsWith(':'))
  return Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s, 2)))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      done()
    }
  })
}
