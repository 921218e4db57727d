/** A read that the chain did not answer, or not believably. `retryable`: another provider, or a little later, may do. */
export class ChainReadError extends Error {
  override name = 'ChainReadError'
  readonly retryable: boolean

  constructor(message: string, { retryable, cause }: { retryable: boolean; cause?: unknown }) {
    super(message, { cause })
    this.retryable = retryable
  }
}
