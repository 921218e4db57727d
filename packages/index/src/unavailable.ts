import type { Market } from '@svc/protocol'

/** A market that cannot be read from the index now: read the chain instead. */
export class IndexUnavailableError extends Error {
  override name = 'IndexUnavailableError'

  constructor(market: Market, reason: string) {
    super(`The ${market} market cannot be read from the index: ${reason}.`)
  }
}
