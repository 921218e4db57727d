import type { RateLimit } from './rateLimit.ts'

/** What is known of a request before any route sees it. Hono passes it on as `c.env`. */
export interface Facts {
  /** In the answer, in logs, and nowhere else. */
  id: string
  /** Whose requests are counted together. */
  client: string
  /** The allowance that it counts against, and what is left of it. */
  limit: RateLimit | null
  left: number
}
