import type { StreamData } from '@svc/operations'
import { apiEndpoints } from '@svc/operations/endpoints'
import { activeRequests } from './activeRequests.ts'
import { ApiError, readError } from './client.ts'

/** A message of the event stream. `id` is its position: the stream can be continued after it. */
export type StreamMessage =
  | { kind: 'event'; id: string; event: StreamData['message'] }
  /** A reorg rolled back everything after this position. */
  | { kind: 'reorg'; id: string }
  /** More was rolled back than the API remembers: read everything again. The stream continues after this position. */
  | { kind: 'lost'; id: string }

export interface FollowOptions {
  /** Base URL of the API, without a path. */
  baseUrl: string
  market: 'standard' | 'micro'
  /** Position to continue after: `meta.nextCursor` of `listEvents`. */
  after: string
  /** Ends the stream. */
  signal: AbortSignal
  fetch?: (request: Request) => Promise<Response>
  /** Delay before a broken stream is resumed. */
  retryMs?: number
}

/** Longer than any event, so that an endless event cannot fill the memory. */
const maxLength = 1_000_000

/**
 * Yields a market's events as they happen, until `signal` aborts. A broken stream is resumed where it stopped. Throws an
 * {@link ApiError} if the API refuses the request.
 *
 * @example
 * ```ts
 * for await (const message of followEvents({ baseUrl, market: 'micro', after: meta.nextCursor, signal })) {
 *   if (message.kind === 'event') console.log(message.event.event, message.event.taskId)
 * }
 * ```
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<StreamMessage, void> {
  const { baseUrl, market, signal, fetch = globalThis.fetch, retryMs = 1_000 } = options
  const url = new URL(apiEndpoints.listEvents.slice('GET '.length), baseUrl)
  url.searchParams.set('market', market)
  let { after } = options
  while (!signal.aborted) {
    const headers = { accept: 'text/event-stream', 'last-event-id': after }
    const request = new Request(url, { headers, signal })
    activeRequests.add(request)
    try {
      const response = await fetch(request)
      if (!response.ok) throw await readError(response)
      for await (const message of readMessages(response.body ?? new ReadableStream())) {
        after = message.id
        yield message
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.status < 500) throw error
    } finally {
      activeRequests.delete(request)
    }
    await pause(retryMs, signal)
  }
}

/** Parses a stream of server-sent events. */
async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage, void> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()]
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      if (text.length > maxLength) throw new Error('An event in the stream is too long.')
      for (const block of blocks) {
        const { event, id, data } = parseFields(block)
        if ((event === 'reorg' || event === 'lost') && id) yield { kind: event, id }
        else if (event === undefined && id && data) yield { kind: 'event', id, event: JSON.parse(data) }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parseFields(block: string): Record<string, string | undefined> {
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
