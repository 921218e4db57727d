import type { StreamData } from '@svc/operations'

/** A message of the event stream. `id` is its position: the stream can be continued after it. */
export type StreamMessage =
  | { kind: 'event'; id: string; event: StreamData['message'] }
  /** A reorg rolled back everything after this position. */
  | { kind: 'reorg'; id: string }
  /** More was rolled back than the API remembers: read everything again. The stream continues after this position. */
  | { kind: 'lost'; id: string }

/** Longer than any event, so that an endless event cannot fill the memory. */
const maxLength = 1_000_000

/** Parses server-sent events. Yields null for a chunk that completes no message: a comment, or a part. */
export async function* readStreamMessages(
  body: ReadableStream<Uint8Array>,
  wait: <T>(arriving: Promise<T>) => Promise<T>,
): AsyncGenerator<StreamMessage | null, void> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()]
  let text = ''
  try {
    for (;;) {
      const { done, value } = await wait(reader.read())
      if (done) return
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      if (text.length > maxLength) throw new Error('An event in the stream is too long.')
      yield null
      for (const block of blocks) {
        const { event, id, data } = parseFields(block)
        if ((event === 'reorg' || event === 'lost') && id) yield { kind: event, id }
        else if (event === undefined && id && data) yield { kind: 'event', id, event: JSON.parse(data) }
      }
    }
  } finally {
    // Not awaited: a body that hangs may never confirm.
    void reader.cancel().catch(() => {})
  }
}

function parseFields(block: string): Record<string, string | undefined> {
  const lines = block.split('\n').filter((line) => !line.startsWith(':'))
  return Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s, 2)))
}
