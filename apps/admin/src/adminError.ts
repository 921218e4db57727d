import { SvcError } from '@svc/protocol'

/** A command cannot be carried out. The message says why, and what to do. */
export class AdminError extends SvcError {
  override name = 'AdminError'

  constructor(message: string) {
    super('ADMIN', message)
  }
}
