import { SvcError, type SvcErrorOptions } from '@svc/protocol'

/** Thrown if a message could not be sent or received. The message itself is fine. */
export class TransportError extends SvcError {
  override name = 'TransportError'

  constructor(message: string, options?: SvcErrorOptions) {
    super('TRANSPORT', message, options)
  }
}
