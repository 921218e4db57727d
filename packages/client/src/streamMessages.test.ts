import { expect, test } from 'vitest'
import { readStreamMessages } from './streamMessages.ts'

const lines = [
  'retry: 2000',
  ': beat',
  'id: 1:0:ab',
  'data: {"event":',
  'data: "TaskPosted"}',
  '',
  'event: reorg',
  'id: 0:0',
  'data:',
  '',
  '',
]

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('a stream with %s and two lines of data is read, however it is cut', async (_, end) => {
  const bytes = new TextEncoder().encode(lines.join(end))
  for (const size of [1, 7, bytes.length]) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.slice(at * size, (at + 1) * size),
    )
    const found = []
    for await (const message of readStreamMessages(ReadableStream.from(parts), (arriving) => arriving)) {
      if (message) found.push(message)
    }
    expect(found).toEqual([
      { kind: 'event', id: '1:0:ab', event: { event: 'TaskPosted' } },
      { kind: 'reorg', id: '0:0' },
    ])
  }
})

test('an endless event ends with an error instead of filling the memory', async () => {
  const part = new TextEncoder().encode(`data: ${'x'.repeat(600_000)}`)
  const read = async () => {
    for await (const _ of readStreamMessages(ReadableStream.from([part, part]), (arriving) => arriving));
  }
  await expect(read()).rejects.toThrow('too long')
})
