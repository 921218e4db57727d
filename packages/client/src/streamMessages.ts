import type { StreamData } from '@svc/operations'
import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** A message of the event stream. `id` is its position: the stream can be continued after it. */
export type StreamMessage =
  | { kind: 'event'; id: string; event: StreamData['message'] }
  /** A reorg rolled back everything after this position. */
  | { kind: 'reorg'; id: string }
  /** More was rolled back than the API remembers: read everything again. The stream continues after this position. */
  | { kind: 'lost'; id: string }

/** Longer than any event, so that an endless event cannot fill the memory. */
const maxLength = 1_000_000

/** Parses server-sent events. Yields null for every chunk that arrives, as a sign of life. */
export async function* readStreamMessages(
  body: ReadableStream<Uint8Array>,
  wait: <T>(arriving: Promise<T>) => Promise<T>,
): AsyncGenerator<StreamMessage | null, void> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()]
  let events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => events.push(event) })
  /** Characters since the last complete event. */
  let length = 0
  try {
    for (;;) {
      const { done, value } = await wait(reader.read())
      if (done) return
      const text = decoder.decode(value, { stream: true })
      parser.feed(text)
      length = events.length > 0 ? text.length : length + text.length
      if (length > maxLength) throw new Error('An event in the stream is too long.')
      yield null
      const complete = events
      events = []
      for (const { event, id, data } of complete) {
        if ((event === 'reorg' || event === 'lost') && id) yield { kind: event, id }
        else if (event === undefined && id && data) yield { kind: 'event', id, event: JSON.parse(data) }
      }
    }
  } finally {
    // Not awaited: a body that hangs may never confirm.
    void reader.cancel().catch(() => {})
  }
}
