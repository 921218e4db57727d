/** Refuses the message in hand, in one sentence, unless `holds`. */
export function demand(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new MessageRefusedError(reason)
}

/** A message that must not be appended to its negotiation. */
export class MessageRefusedError extends Error {
  override name = 'MessageRefusedError'
  reason: string

  constructor(reason: string) {
    super(`The message is refused: ${reason}`)
    this.reason = reason
  }
}

/** A transcript that must not be believed: `position` counts its messages from 1 and names the first broken or missing one. */
export class BrokenTranscriptError extends Error {
  override name = 'BrokenTranscriptError'
  position: number
  reason: string

  constructor(position: number, reason: string) {
    super(`Message ${position} is broken: ${reason}`)
    this.position = position
    this.reason = reason
  }
}
