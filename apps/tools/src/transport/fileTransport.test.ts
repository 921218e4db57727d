import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createFileTransport } from './fileTransport.ts'

// Files of one millisecond were read in the order of their random names.
test('messages that are sent in the same millisecond are read in order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
  const me = `0x${'1'.repeat(40)}` as const
  const transport = createFileTransport(folder, me)
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`)
  for (const text of texts) await transport.send(me, text)
  vi.useRealTimers()
  const received: string[] = []
  const stop = new AbortController()
  for await (const { text } of transport.receive(stop.signal)) {
    received.push(text)
    if (received.length === texts.length) break
  }
  expect(received).toEqual(texts)
  await rm(folder, { recursive: true })
})
