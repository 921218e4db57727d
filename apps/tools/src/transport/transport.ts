import { SvcError } from '@svc/protocol'
import type { SvcErrorOptions } from '@svc/protocol/internal/base'

/** Thrown if a message could not be sent or received. The message itself is fine. */
export class TransportError extends SvcError {
  override name = 'TransportError'

  constructor(message: string, options?: SvcErrorOptions) {
    super('TRANSPORT', message, options)
  }
}
