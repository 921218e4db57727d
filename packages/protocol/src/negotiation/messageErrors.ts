import { SvcError } from '../base/svcError.ts'
/** Throws {@link MessageRefusedError} with the reason unless `holds`. */
export function assertAllowed(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new MessageRefusedError(reason)
}

/** Thrown for a message that must not be added to its negotiation. */
export class MessageRefusedError extends SvcError {
  override name = 'MessageRefusedError'
  reason: string

  constructor(reason: string) {
    super('MESSAGE_REFUSED', `The message was rejected: ${reason}`)
    this.reason = reason
  }
}

/** Thrown for a transcript that is not valid. `position` is the first invalid or missing message, counted from 1. */
export class BrokenTranscriptError extends SvcError {
  override name = 'BrokenTranscriptError'
  position: number
  reason: string

  constructor(position: number, reason: string) {
    super('BROKEN_TRANSCRIPT', `Message ${position} is invalid: ${reason}`)
    this.position = position
    this.reason = reason
  }
}
