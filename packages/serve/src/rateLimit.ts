import { type Client, listAllowances } from './clientNetworks.ts'
import { createCountSketch } from './countSketch.ts'
import type { SharedCounts } from './sharedCounts.ts'

export interface RateLimitOptions {
  perMinute: number
  /** What other replicas count. Without it, the limit holds for this process alone. */
  shared?: SharedCounts | undefined
  now?: () => number
}

export interface RateLimit {
  /** Counts one request of a client. Returns what is left; if negative, the request exceeds the limit and was not counted. */
  take: (client: Client) => number
  /** The rate limit headers of the response. */
  headers: (left: number) => Record<string, string>
  /** Seconds until a retry can succeed. */
  retryAfter: () => number
}

const windowMs = 60_000

const maxKnown = 1_000

/** A network of a client, where it is counted, and how many requests it may send in a minute. */
interface Counted {
  network: Client
  place: Uint32Array
  allowed: number
}

/**
 * Limits requests over a sliding minute: counts those of this minute, plus the share of the last minute that still overlaps.
 * A client is counted by itself and with the networks around it, in fixed memory.
 */
export function createRateLimit({ perMinute, shared, now = Date.now }: RateLimitOptions): RateLimit {
  const counts = createCountSketch()
  const known = new Map<Client, readonly Counted[]>()
  // Minutes of the clock, so that replicas count the same ones.
  let minute = Math.floor(now() / windowMs)

  /** Starts a new minute if it is time. Returns the elapsed share of the current one. */
  const advanceWindow = (): number => {
    const time = now() / windowMs
    const passed = Math.floor(time) - minute
    if (passed > 0) {
      counts.advance()
      if (passed > 1) counts.advance()
      minute += passed
    }
    return Math.max(0, time - minute)
  }

  const untilNext = () => Math.max(1, Math.ceil(((minute + 1) * windowMs - now()) / 1000))

  return {
    take(client) {
      const elapsed = advanceWindow()
      const counted = known.get(client) ?? findCounted(client)
      let left = Number.POSITIVE_INFINITY
      for (const { network, place, allowed } of counted) {
        const others = shared?.countOthers(network, minute)
        const count = counts.count(place) + (others?.current ?? 0)
        const before = counts.countPrevious(place) + (others?.previous ?? 0)
        left = Math.min(left, Math.floor(allowed - count - before * (1 - elapsed)) - 1)
      }
      if (left < 0) return left
      for (const { network, place, allowed } of counted) {
        const count = counts.add(place)
        shared?.report(network, minute, count, allowed)
      }
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

  /** Finds where a client and its networks are counted. Remembers it for a while, since clients send many requests. */
  function findCounted(client: Client): readonly Counted[] {
    const counted = listAllowances(client, perMinute).map((each) => ({ ...each, place: counts.find(each.network) }))
    if (known.size >= maxKnown) known.clear()
    known.set(client, counted)
    return counted
  }
}
