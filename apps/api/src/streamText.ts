import { formatEvent, formatEventCursor, formatStreamId, type StreamData } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { StreamMessage } from './reads/tail.ts'

/** A message as it is sent: with the id that its listener resumes after. */
export interface StreamText {
  id: string
  text: string
}

/** An SSE comment. It keeps the connection alive through proxies. */
export const heartbeat = ':\n\n'

/** Messages are written once, however many streams they go to. */
const texts = new WeakMap<StreamMessage, StreamText>()

export function formatStreamMessage(message: StreamMessage, market: Market): StreamText {
  const known = texts.get(message)
  if (known !== undefined) return known
  const text = format(message, market)
  texts.set(message, text)
  return text
}

function format(message: StreamMessage, market: Market): StreamText {
  switch (message.kind) {
    case 'event':
      return write('message', formatStreamId(message.event), formatEvent(message.event, market))
    case 'reorg': {
      const after = formatStreamId(message.after)
      return write('reorg', after, { after })
    }
    // Send an id, or the client would reconnect with the outdated one forever.
    case 'lost':
      return write('lost', message.newest ? formatStreamId(message.newest) : formatEventCursor(message.place), {})
  }
}

/** A message without a name is a `message`. JSON has no line breaks. */
const write = <Name extends keyof StreamData>(name: Name, id: string, data: StreamData[Name]): StreamText => ({
  id,
  text: `${name === 'message' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\nid: ${id}\n\n`,
})
