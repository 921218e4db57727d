export interface RateLimitOptions {
  perMinute: number
  /** So many clients are remembered; beyond that the longest known is forgotten. */
  maxClients?: number
  now?: () => number
}

export interface RateLimit {
  /** Counts one request of a client. What is left afterwards; negative: it is one too many and was not counted. */
  take: (client: string) => number
  /** What the client should know, as headers. */
  headers: (left: number) => Record<string, string>
  /** Seconds after which asking again makes sense. */
  retryAfter: () => number
}

const windowMs = 60_000

/** Counts requests over a sliding minute: those of this minute, and those of the last as far as it still reaches in. */
export function createRateLimit({ perMinute, maxClients = 50_000, now = Date.now }: RateLimitOptions): RateLimit {
  let current = new Map<string, number>()
  let previous = new Map<string, number>()
  let began = now()

  /** The share of the minute that is over. */
  const turn = (): number => {
    const passed = now() - began
    if (passed < windowMs) return passed / windowMs
    previous = passed < 2 * windowMs ? current : new Map()
    current = new Map()
    began += Math.floor(passed / windowMs) * windowMs
    return (now() - began) / windowMs
  }

  const untilNext = () => Math.max(1, Math.ceil((began + windowMs - now()) / 1000))

  return {
    take(client) {
      const over = turn()
      const count = current.get(client) ?? 0
      const left = Math.floor(perMinute - count - (previous.get(client) ?? 0) * (1 - over)) - 1
      if (left < 0) return left
      if (count === 0 && current.size >= maxClients) {
        for (const oldest of current.keys()) {
          current.delete(oldest)
          break
        }
      }
      current.set(client, count + 1)
      return left
    },
    headers: (left) => ({
      'ratelimit-limit': String(perMinute),
      'ratelimit-remaining': String(Math.max(0, left)),
      'ratelimit-reset': String(untilNext()),
    }),
    // At the turn of the minute all of the last one still counts: a second later some of it does not.
    retryAfter: () => untilNext() + 1,
  }
}
