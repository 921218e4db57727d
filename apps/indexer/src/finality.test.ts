import { hashHeader, RateLimitedError, type Rpc, RpcResponseError } from '@svc/chain'
import { expect, test, vi } from 'vitest'
import { createFinality } from './finality.ts'

const word = `0x${'0'.repeat(64)}`
const fields = {
  number: '0x64',
  parentHash: word,
  receiptsRoot: word,
  timestamp: '0x1',
  logsBloom: `0x${'0'.repeat(512)}`,
}
const block = { ...fields, hash: hashHeader(fields) }

/** A provider whose answer to the tag is this. */
function provider(answer: () => unknown) {
  const request = vi.fn<Rpc['request']>(async () => answer())
  return { name: 'a', request }
}

test.each([
  ['answers null', () => null],
  [
    'rejects the tag',
    () => {
      throw new RpcResponseError('a', 'eth_getBlockByNumber', { code: -32602, message: 'invalid block tag' })
    },
  ],
])('a provider that %s does not stall the index: a depth decides, and it is named', async (_, answer) => {
  const onChange = vi.fn()
  const finality = createFinality({ depth: 50, refreshMs: 10_000, onChange, now: () => 0 })
  const rpc = provider(answer)
  expect(await finality.read(rpc, 200n)).toBe(150n)
  expect(await finality.read(rpc, 210n)).toBe(160n)
  expect(await finality.read(rpc, 20n)).toBe(0n)
  expect(finality.withoutTag()).toEqual(['a'])
  expect(rpc.request).toHaveBeenCalledTimes(1)
  expect(onChange.mock.calls).toEqual([['a', false]])
})

test('a finalized block is used for a while, then read again', async () => {
  let now = 0
  const finality = createFinality({ refreshMs: 10_000, now: () => now })
  const rpc = provider(() => block)
  for (now = 0; now < 20_000; now += 200) expect(await finality.read(rpc, 10_000n)).toBe(100n)
  expect(rpc.request).toHaveBeenCalledTimes(2)
  expect(finality.withoutTag()).toEqual([])
})

test('a provider that only wants fewer requests does know the tag', async () => {
  const rpc = provider(() => {
    throw new RateLimitedError('a answered with status 429.', null)
  })
  await expect(createFinality().read(rpc, 10_000n)).rejects.toThrow(RateLimitedError)
})
