import { type Market, SvcError } from '@svc/protocol'

/** A market cannot be read from the index now. Callers read the chain instead. */
export class IndexUnavailableError extends SvcError {
  override name = 'IndexUnavailableError'

  constructor(market: Market, reason: string) {
    super('INDEX_UNAVAILABLE', `The ${market} market cannot be read from the index: ${reason}.`)
  }
}
