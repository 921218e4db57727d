export type Fetch = (request: Request) => Response | Promise<Response>

export interface RetryOptions {
  fetch: Fetch
  /** Waits so many milliseconds. */
  sleep: (milliseconds: number) => Promise<void>
  /** How often a request is sent at most. */
  attempts?: number
}

/**
 * Wraps `fetch` so that it sends a request again after a failure of the network or a busy answer. Every request to a store can
 * be repeated: hashes name what is sent.
 */
export function createRetryFetch({
  fetch,
  sleep,
  attempts = 4,
}: RetryOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, headers, url, signal } = request
    // Bytes, not a stream: browsers do not send streams over HTTP/1.1, and a stream can be sent once only.
    const body = method === 'GET' ? null : await request.arrayBuffer()
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === attempts
      try {
        const response = await fetch(new Request(url, { method, headers, signal, body }))
        if (isLast || !busyStatuses.includes(response.status)) return response
        await response.body?.cancel()
        await sleep(computeDelay(attempt, response.headers.get('retry-after')))
      } catch (error) {
        // Whoever cancelled does not want another attempt.
        if (isLast || signal.aborted || (error instanceof Error && error.name === 'AbortError')) throw error
        await sleep(computeDelay(attempt, null))
      }
    }
  }
}

const busyStatuses = [429, 502, 503, 504]

function computeDelay(attempt: number, retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 10) * 1_000 : 250 * 2 ** attempt
}
