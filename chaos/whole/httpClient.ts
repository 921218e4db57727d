import { setTimeout as wait } from 'node:timers/promises'
import type { Tally } from './tally.ts'

/** A response with its parsed body. */
export interface HttpAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked field by field
  body: any
}

/** Statuses that a service may return while a dependency is down or behind. */
const transientStatuses: ReadonlySet<number> = new Set([402, 404, 409, 422, 503])

/** Calls services over HTTP, counts every response and checks it against the documented error format. */
export function createHttpClient(tally: Tally) {
  /** One response, or null if the connection failed or was cut. */
  const once = async (surface: string, url: string, init: RequestInit = {}): Promise<HttpAnswer | null> => {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
      const { status, headers } = response
      const body = (await response.json()) as HttpAnswer['body']
      tally.count('requests', surface)
      tally.count('answers', `${surface} ${status}${body?.code ? ` ${body.code}` : ''}`)
      if (status === 500) tally.fail(`${surface} answered 500 to ${url}: ${JSON.stringify(body)}`)
      if (status >= 400 && (typeof body?.error !== 'string' || typeof body?.code !== 'string'))
        tally.fail(`${surface} refused ${url} with ${status} and no error: ${JSON.stringify(body)}`)
      if (status === 503 && !headers.get('retry-after'))
        tally.fail(`${surface} answered 503 to ${url} without Retry-After`)
      return { status, headers, body }
    } catch {
      tally.count('answers', `${surface} cut off`)
      return null
    }
  }

  /** Tries the URLs in turn until a response is good. Killed services come back. Throws after `ms` milliseconds. */
  const until = async (
    surface: string,
    urls: readonly string[],
    init: RequestInit,
    isGood: (got: HttpAnswer) => boolean,
    ms = 240_000,
  ): Promise<HttpAnswer> => {
    const end = Date.now() + ms
    for (let turn = 0; ; turn++) {
      const got = await once(surface, urls[turn % urls.length] ?? '', init)
      if (got && isGood(got)) return got
      if (got && got.status !== 200 && !transientStatuses.has(got.status)) throw new NoAnswerError(surface, urls, got)
      if (Date.now() > end) throw new NoAnswerError(surface, urls, got)
      if (turn >= urls.length - 1) await wait(50)
    }
  }

  return { request: once, requestUntil: until }
}

export type HttpClient = ReturnType<typeof createHttpClient>

/** The request options to POST a JSON body. */
export const jsonPost = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

class NoAnswerError extends Error {
  override name = 'NoAnswerError'

  constructor(surface: string, urls: readonly string[], got: HttpAnswer | null) {
    super(
      `${surface} gave no acceptable answer to ${urls[0]}: ${got ? `${got.status} ${JSON.stringify(got.body)}` : 'no connection'}`.slice(
        0,
        2_000,
      ),
    )
  }
}
