import { setTimeout as wait } from 'node:timers/promises'
import type { Tally } from './tally.ts'

/** What a client got. */
export interface Got {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged field by field.
  body: any
}

/** Statuses that a service may answer with while something it needs is away or behind. */
const passing: ReadonlySet<number> = new Set([402, 404, 409, 422, 503])

/** Asks services over HTTP, counts every answer, and holds each against what they promise. */
export function createCall(tally: Tally) {
  /** One answer; null where nobody listens or the answer is cut off. */
  const once = async (surface: string, url: string, init: RequestInit = {}): Promise<Got | null> => {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
      const { status, headers } = response
      const body = (await response.json()) as Got['body']
      tally.count('requests', surface)
      tally.count('answers', `${surface} ${status}${body?.code ? ` ${body.code}` : ''}`)
      if (status === 500) tally.fault(`${surface} answered 500 to ${url}: ${JSON.stringify(body)}`)
      if (status >= 400 && (typeof body?.error !== 'string' || typeof body?.code !== 'string'))
        tally.fault(`${surface} refused ${url} with ${status} and no error: ${JSON.stringify(body)}`)
      if (status === 503 && !headers.get('retry-after'))
        tally.fault(`${surface} answered 503 to ${url} without Retry-After`)
      return { status, headers, body }
    } catch {
      tally.count('answers', `${surface} cut off`)
      return null
    }
  }

  /** Asks the places in turn until an answer is good; services that are killed come back. Throws after some minutes. */
  const until = async (
    surface: string,
    urls: readonly string[],
    init: RequestInit,
    isGood: (got: Got) => boolean,
    ms = 240_000,
  ): Promise<Got> => {
    const end = Date.now() + ms
    for (let turn = 0; ; turn++) {
      const got = await once(surface, urls[turn % urls.length] ?? '', init)
      if (got && isGood(got)) return got
      if (got && got.status !== 200 && !passing.has(got.status)) throw new UnansweredError(surface, urls, got)
      if (Date.now() > end) throw new UnansweredError(surface, urls, got)
      if (turn >= urls.length - 1) await wait(50)
    }
  }

  return { once, until }
}

export type Call = ReturnType<typeof createCall>

/** What JSON is posted with. */
export const posted = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

class UnansweredError extends Error {
  override name = 'UnansweredError'

  constructor(surface: string, urls: readonly string[], got: Got | null) {
    super(
      `${surface} has no good answer to ${urls[0]}: ${got ? `${got.status} ${JSON.stringify(got.body)}` : 'nobody answers'}`.slice(
        0,
        2_000,
      ),
    )
  }
}
