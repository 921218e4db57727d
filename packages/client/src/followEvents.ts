import type { InputJson } from '@svc/operations'
import { apiEndpoints, streamLimits } from '@svc/operations/endpoints'
import { activeRequests } from './activeRequests.ts'
import { ApiError, joinUrl, readError } from './client.ts'
import { readStreamMessages, type StreamMessage } from './streamMessages.ts'

/** Why a stream is interrupted, and when it is resumed. */
export interface StreamInterruption {
  error: Error
  /** Delay before the next attempt. */
  waitMs: number
  /** The stream is resumed after this position. */
  after: string
}

export interface FollowOptions {
  /** Base URL of the API. A path before its routes, such as that of a proxy, is kept. */
  baseUrl: string
  market: 'standard' | 'micro'
  /** Position to continue after: `meta.nextCursor` of `listEvents`. */
  after: string
  /** Only events that match all of these. */
  filter?: Pick<InputJson<'listEvents'>, 'taskId' | 'address' | 'event'>
  /** Ends the stream. */
  signal: AbortSignal
  fetch?: (request: Request) => Promise<Response>
  /** Delay before a stream that worked is resumed. It doubles with every attempt that fails. */
  retryMs?: number
  /** A connection on which nothing arrives for this long is dead. */
  silenceMs?: number
  onInterrupt?: (interruption: StreamInterruption) => void
}

/** The longest delay between two attempts, unless the API asks for a longer one. */
const maxRetryMs = 30_000
/** The longest delay that the API can ask for. */
const maxRetryAfterMs = 600_000

/**
 * Yields a market's events as they happen, until `signal` aborts. A stream that breaks, falls silent or is refused for now
 * (429, 503) is resumed where it stopped, without a gap or a repeat. Throws an {@link ApiError} if the API refuses the
 * request for good.
 *
 * @example
 * ```ts
 * for await (const message of followEvents({ baseUrl, market: 'micro', after: meta.nextCursor, signal })) {
 *   if (message.kind === 'event') console.log(message.event.event, message.event.taskId)
 * }
 * ```
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<StreamMessage, void> {
  const { signal, retryMs = streamLimits.retrySeconds * 1000, onInterrupt } = options
  let { after } = options
  for (let failures = 0; !signal.aborted; failures++) {
    let error: Error
    try {
      for await (const message of connect(options, after)) {
        failures = 0
        if (message === null) continue
        after = message.id
        yield message
      }
      error = new Error('The API ended the stream.')
    } catch (thrown) {
      if (signal.aborted) return
      error = thrown instanceof Error ? thrown : new Error(String(thrown))
      if (error instanceof ApiError && !isTemporary(error)) throw error
    }
    const waitMs = chooseDelay(error, retryMs, failures)
    onInterrupt?.({ error, waitMs, after })
    await pause(waitMs, signal)
  }
}

/** Opens the stream once. Yields its messages, and null for a sign of life. Throws when nothing arrives for too long. */
async function* connect(options: FollowOptions, after: string): AsyncGenerator<StreamMessage | null, void> {
  const { baseUrl, market, filter = {}, signal, fetch = globalThis.fetch } = options
  const { silenceMs = streamLimits.silenceSeconds * 1000 } = options
  const url = joinUrl(baseUrl, apiEndpoints.listEvents.slice('GET '.length))
  for (const [name, value] of Object.entries({ market, ...filter })) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  const headers = { accept: 'text/event-stream', 'last-event-id': after }
  const silent = new AbortController()
  const request = new Request(url, { headers, signal: AbortSignal.any([signal, silent.signal]) })
  /** Waits for the API, never for the caller, who may take as long as it wants for a message. */
  const listen = async <T>(arriving: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => silent.abort(new Error(`The stream was silent for ${silenceMs} ms.`)), silenceMs)
    // A fetch or a body that ignores its signal must not be waited for either.
    const aborted = Promise.withResolvers<never>()
    const fail = () => aborted.reject(request.signal.reason)
    request.signal.addEventListener('abort', fail, { once: true })
    try {
      return await Promise.race([arriving, aborted.promise])
    } finally {
      clearTimeout(timer)
      request.signal.removeEventListener('abort', fail)
    }
  }
  activeRequests.add(request)
  try {
    const response = await listen(fetch(request))
    if (!response.ok) throw await listen(readError(response))
    yield* readStreamMessages(response.body ?? new ReadableStream(), listen)
  } finally {
    activeRequests.delete(request)
    // Without this, a connection that hangs would stay open.
    silent.abort()
  }
}

/** Whether the same request can succeed later. */
const isTemporary = ({ status }: ApiError) => status >= 500 || status === 429 || status === 408

/** Doubles the delay with every failure, and spreads clients that were cut off together over half of it. */
function chooseDelay(error: Error, retryMs: number, failures: number): number {
  const asked = (error instanceof ApiError && error.retryAfter) || 0
  const backoff = Math.min(retryMs * 2 ** failures, Math.max(retryMs, maxRetryMs))
  const least = Math.min(asked * 1000, maxRetryAfterMs)
  // Never earlier than the API asks.
  return least > 0 ? least + Math.random() * Math.max(backoff, least / 4) : backoff * (0.5 + Math.random() * 0.5)
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
