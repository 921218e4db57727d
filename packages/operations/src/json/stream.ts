import * as z from 'zod'
import { streamIdPattern } from '../eventCursor.ts'
import { eventJson } from './event.ts'

/** A position in the event stream. */
export const streamId = z.string().regex(streamIdPattern)

/** Data of the messages of the event stream, by the name of the message. A message without a name is a `message`. */
export const streamData = {
  message: eventJson,
  reorg: z
    .object({
      after: streamId.describe('Id of the last event that is still on the chain; also the id of this message.'),
    })
    .describe('A reorganisation rolled back every event after this id. New events follow.'),
  lost: z
    .object({})
    .describe(
      'An unknown number of events was rolled back, for example because the block of your `Last-Event-ID` was replaced. Read your data again, or retry with an older id until you get no `lost`. The stream continues after the id of this message.',
    ),
}

/** Data of each message of the event stream, as JSON. */
export type StreamData = { [Name in keyof typeof streamData]: z.infer<(typeof streamData)[Name]> }
