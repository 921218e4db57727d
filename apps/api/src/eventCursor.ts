import type { EventPosition } from '@svc/chain'
import { HttpError } from '@svc/serve'
import { z } from 'zod'

const form = /^(\d{1,15}):(\d{1,10})$/

/** Reads `block:logIndex`. */
export function eventPosition(text: string): EventPosition {
  const [, block, logIndex] = form.exec(text) ?? []
  if (block === undefined || logIndex === undefined || Number(logIndex) >= 2 ** 31) {
    throw new HttpError(
      400,
      'INVALID_CURSOR',
      'cursor must be block:logIndex, as nextCursor and the ids of the stream are.',
    )
  }
  return { block: BigInt(block), logIndex: Number(logIndex) }
}

/** Writes `block:logIndex`. */
export const eventCursorOf = ({ block, logIndex }: EventPosition): string => `${block}:${logIndex}`

/** The cursor of the event feed. */
export const eventCursor = z
  .string()
  .regex(form, 'cursor must be block:logIndex')
  .optional()
  .describe(
    'Events after this place: `meta.nextCursor`, or the id of an event of the stream; `0:0` begins at the beginning.',
  )
