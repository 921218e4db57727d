import type { Readable, Writable } from 'node:stream'
import { maxMessageBytes, type Transport } from '@svc/protocol/negotiation'
import { TransportError } from './transport.ts'

/** A transport over two streams, one message per line. The process at the other end is the other party. */
export function createStdioTransport(input: Readable, output: Writable): Transport {
  // A closed output is reported by the write. Without a listener, the event would end the process.
  output.on('error', () => {})
  return {
    send: (_to, text) =>
      new Promise((resolve, reject) => {
        output.write(`${text}\n`, (error) =>
          error ? reject(new TransportError('The output was closed before the message was sent.')) : resolve(),
        )
      }),
    async *receive(signal) {
      for await (const text of streamLines(input, signal)) yield { text, done: async () => {} }
    },
    close: async () => {},
  }
}

/** Splits a stream into lines. A line that is too long is cut just long enough to be rejected. */
async function* streamLines(input: Readable, signal: AbortSignal): AsyncGenerator<string> {
  const maxLine = maxMessageBytes + 1
  let line: Buffer = Buffer.alloc(0)
  const iterator = input.iterator({ destroyOnReturn: false })
  const aborted = new Promise<IteratorReturnResult<undefined>>((resolve) => {
    const end = () => resolve({ done: true, value: undefined })
    if (signal.aborted) setImmediate(end)
    else signal.addEventListener('abort', end, { once: true })
  })
  for (;;) {
    const next: IteratorResult<Buffer> = await Promise.race([iterator.next(), aborted])
    if (next.done) break
    const [first = Buffer.alloc(0), ...rest] = splitLines(Buffer.from(next.value))
    line = Buffer.concat([line, first.subarray(0, maxLine - line.length)])
    for (const each of rest) {
      if (line.length > 0) yield line.toString('utf8')
      line = each.subarray(0, maxLine)
    }
  }
  if (line.length > 0) yield line.toString('utf8')
}

function splitLines(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let from = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
    parts.push(bytes.subarray(from, at))
    from = at + 1
  }
  return [...parts, bytes.subarray(from)]
}
