import { SvcError } from '@svc/protocol'

/** A read of the chain failed or its response was invalid. `retryable`: another provider, or a later attempt, may succeed. */
export class ChainReadError extends SvcError {
  override name = 'ChainReadError'
  readonly retryable: boolean

  constructor(message: string, { retryable, cause }: { retryable: boolean; cause?: unknown }) {
    super('CHAIN_READ_FAILED', message, { cause })
    this.retryable = retryable
  }
}
