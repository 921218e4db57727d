import type { Readable } from 'node:stream'
import type { RateLimit } from './rateLimit.ts'

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
}
