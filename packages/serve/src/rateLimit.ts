export interface RateLimitOptions {
  perMinute: number
  /** Maximum number of remembered clients; beyond it, the oldest one is forgotten. */
  maxClients?: number
  now?: () => number
}

export interface RateLimit {
  /** Counts one request of a client. Returns what is left; if negative, the request exceeds the limit and was not counted. */
  take: (client: string) => number
  /** The rate limit headers of the response. */
  headers: (left: number) => Record<string, string>
  /** Seconds until a retry can succeed. */
  retryAfter: () => number
}

const windowMs = 60_000

/** Limits requests over a sliding minute: counts those of this minute, plus the share of the last minute that still overlaps. */
export function createRateLimit({ perMinute, maxClients = 50_000, now = Date.now }: RateLimitOptions): RateLimit {
  let current = new Map<string, number>()
  let previous = new Map<string, number>()
  let windowStart = now()

  /** Starts a new minute if it is time. Returns the elapsed share of the current one. */
  const advanceWindow = (): number => {
    const passed = now() - windowStart
    if (passed < windowMs) return passed / windowMs
    previous = passed < 2 * windowMs ? current : new Map()
    current = new Map()
    windowStart += Math.floor(passed / windowMs) * windowMs
    return (now() - windowStart) / windowMs
  }

  const untilNext = () => Math.max(1, Math.ceil((windowStart + windowMs - now()) / 1000))

  return {
    take(client) {
      const elapsed = advanceWindow()
      const count = current.get(client) ?? 0
      const left = Math.floor(perMinute - count - (previous.get(client) ?? 0) * (1 - elapsed)) - 1
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
    // At the start of a minute the whole last minute still counts; a second later, part of it has expired.
    retryAfter: () => untilNext() + 1,
  }
}
