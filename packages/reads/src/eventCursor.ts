import type { EventEntry, EventPosition } from '@svc/chain'
import { HttpError } from '@svc/serve'
import { z } from 'zod'

const form = /^(\d{1,15}):(\d{1,10})(?::([0-9a-f]{8}))?$/

/** Where a stream goes on, and the mark of the block that was there when it was told. */
export interface StreamPlace extends EventPosition {
  /** Null where the id has none: then nobody can tell whether that block was replaced. */
  mark: string | null
}

/** Reads an id of the stream, `block:logIndex:mark`, or `block:logIndex` alone. */
export function streamPlace(text: string): StreamPlace {
  const [, block, logIndex, mark = null] = form.exec(text) ?? []
  if (block === undefined || logIndex === undefined || Number(logIndex) >= 2 ** 31) {
    throw new HttpError(
      400,
      'INVALID_CURSOR',
      'cursor must be block:logIndex, as nextCursor is, or an id of the stream.',
    )
  }
  return { block: BigInt(block), logIndex: Number(logIndex), mark }
}

/** Reads the place of a cursor, or of an id of the stream. */
export function eventPosition(text: string): EventPosition {
  const { block, logIndex } = streamPlace(text)
  return { block, logIndex }
}

/** Writes `block:logIndex`. */
export const eventCursorOf = ({ block, logIndex }: EventPosition): string => `${block}:${logIndex}`

/** What a block is known by in an id: the first 8 digits of its hash. */
export const markOf = (blockHash: string): string => blockHash.slice(2, 10)

/** The id of an event in the stream: its place, and the mark of its block as long as that could be replaced. */
export const streamIdOf = ({ blockNumber, logIndex, blockHash }: EventEntry): string =>
  `${blockNumber}:${logIndex}${blockHash === null ? '' : `:${markOf(blockHash)}`}`

/** The cursor of the event feed. */
export const eventCursor = z
  .string()
  .regex(form, 'cursor must be block:logIndex, or an id of the stream')
  .optional()
  .describe(
    'Events after this place: `meta.nextCursor`, or the id of an event of the stream; `0:0` begins at the beginning.',
  )
