import type { Readable } from 'node:stream'
import type { RateLimit } from './rateLimit.ts'

/** A body that is on its way. */
export interface ArrivingBody {
  /** Waits until this many bytes are here, at most 32 KiB. They stay unread. */
  waitFor: (bytes: number) => Promise<void>
  /** Stops the clock while the service itself does not read on. */
  pause: () => void
  /** Goes on. From now it must arrive at this rate, in bytes per second. */
  resume: (minRate: number) => void
}

/** What is known about a request before routing. Hono passes it as `c.env`. */
export interface RequestContext {
  /** The request id, for the response and the logs only. */
  id: string
  /** The key of the rate limit. */
  client: string
  /** The rate limit that applies, and what is left of it. */
  limit: RateLimit | null
  left: number
  /** The request as node reads it, for routes that stream a large body: web streams copy every chunk. Tests may have none. */
  incoming?: Readable | undefined
  /** Its body, while it arrives. */
  body?: ArrivingBody
}
