import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { checkBytes } from './checkBytes.ts'

const chunks = ['one', 'two', 'three'].map((text) => Buffer.from(text))
const whole = Buffer.concat(chunks)
const expected = { sha256: createHash('sha256').update(whole).digest('hex'), size: whole.length }

/** What comes out before the stream ends or fails. */
async function pass(
  given: readonly Buffer[],
  as: Parameters<typeof checkBytes>[0] = expected,
): Promise<{ out: Buffer; error: string | null }> {
  const out: Buffer[] = []
  try {
    for await (const chunk of Readable.from(given).compose(checkBytes(as))) out.push(chunk)
    return { out: Buffer.concat(out), error: null }
  } catch (error) {
    return { out: Buffer.concat(out), error: (error as { code?: string }).code ?? 'unknown' }
  }
}

test('passes the right bytes on, in any chunks', async () => {
  expect(await pass(chunks)).toEqual({ out: whole, error: null })
  expect(await pass([whole])).toEqual({ out: whole, error: null })
})

test('never passes the last byte of wrong, missing or surplus bytes on', async () => {
  const wrong = [...chunks.slice(0, 2), Buffer.from('thre3')]
  for (const [given, error] of [
    [wrong, 'WRONG_BYTES'],
    [[...chunks, Buffer.from('four')], 'WRONG_BYTES'],
    [chunks.slice(0, 2), 'INCOMPLETE'],
    [[], 'INCOMPLETE'],
  ] as const) {
    const passed = await pass(given)
    expect(passed.error).toBe(error)
    expect(passed.out.length).toBeLessThan(whole.length)
  }
})

test('without a hash, still refuses missing and surplus bytes', async () => {
  const sizeOnly = { ...expected, sha256: null }
  expect(await pass(chunks, sizeOnly)).toEqual({ out: whole, error: null })
  for (const given of [[...chunks, Buffer.from('four')], chunks.slice(0, 2)]) {
    const passed = await pass(given, sizeOnly)
    expect(passed.error).not.toBeNull()
    expect(passed.out.length).toBeLessThan(whole.length)
  }
})
