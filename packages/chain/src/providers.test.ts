import { describe, expect, test } from 'vitest'
import { ChainReadError } from './errors.ts'
import { LogRangeError } from './logs.ts'
import { createProviders, createViemChain } from './providers.ts'
import { RateLimitedError, type Rpc } from './rpc.ts'
import type { RpcHealth } from './rpcHealth.ts'

const nobody = (name: string): Rpc => ({ name, request: async () => null })

function create(names: readonly string[], attempts = 3) {
  const sleeps: number[] = []
  let now = 0
  const providers = createProviders(names.map(nobody), createViemChain(8453), {
    attempts,
    now: () => now,
    random: () => 1,
    sleep: async (ms) => {
      sleeps.push(ms)
      now += ms
    },
  })
  const asked: string[] = []
  /** Reads with the errors of each provider, in turn; without an error it succeeds. */
  const read = (errors: Record<string, (() => Error)[]>) =>
    providers.read(async ({ rpc: { name } }) => {
      asked.push(name)
      const error = errors[name]?.shift()
      if (error) throw error()
      return name
    })
  return { read, asked, sleeps }
}

const throttled = (ms: number | null) => () => new RateLimitedError('slow down', ms)
const tooNarrow = () => new LogRangeError(nobody('a'), { from: 1n, to: 9n }, 1, 1)

test('a throttled provider is passed over at once, and the only one is waited for, but not for long', async () => {
  const two = create(['a', 'b'])
  expect(await two.read({ a: [throttled(60_000)] })).toBe('b')
  expect(two.sleeps).toEqual([])
  const one = create(['a'])
  expect(await one.read({ a: [throttled(1_500), throttled(60_000)] })).toBe('a')
  expect(one.sleeps).toEqual([1_500, 2_000])
})

test('a provider that is too limited for one read stays first for the others', async () => {
  const { read, asked } = create(['a', 'b'])
  expect(await read({ a: [tooNarrow] })).toBe('b')
  expect(await read({})).toBe('a')
  asked.length = 0
  // Nobody can: there is no second round.
  await expect(read({ a: [tooNarrow], b: [tooNarrow] })).rejects.toThrow(LogRangeError)
  expect(asked).toEqual(['a', 'b'])
})

describe('a provider that does not answer', () => {
  /** Providers that answer with their name, except the first, which hangs if it is told to. */
  function createHanging() {
    const hedged: string[] = []
    const asked: string[] = []
    let isHanging = true
    const health = (name: string): RpcHealth => ({
      rank: () => 0,
      timeoutMs: () => 10_000,
      hedgeMs: () => 5,
      isOverdue: () => name === 'a' && isHanging,
    })
    const rpcs = ['a', 'b', 'c'].map((name) => ({ ...nobody(name), health: health(name) }))
    let now = 0
    const providers = createProviders(rpcs, createViemChain(8453), {
      now: () => now,
      onHedge: (name) => hedged.push(name),
    })
    const read = () =>
      providers.read(async ({ rpc: { name } }) => {
        asked.push(name)
        if (name === 'a' && isHanging) await new Promise(() => {})
        return name
      })
    const move = (ms: number) => {
      now += ms
    }
    const answer = () => {
      isHanging = false
    }
    return { read, hedged, asked, move, answer }
  }

  test('costs a read a moment: the next one is asked as well, and stays first for a while', async () => {
    const { read, hedged, asked, move, answer } = createHanging()
    expect([await read(), await read(), await read()]).toEqual(['b', 'b', 'b'])
    expect([hedged, asked]).toEqual([['a'], ['a', 'b', 'b', 'b']])
    answer()
    move(10_001)
    expect(await read()).toBe('a')
  })

  test('gets no second request beyond the budget', async () => {
    const { read, hedged, move } = createHanging()
    const reads: Promise<string>[] = []
    for (let count = 0; count < 20; count++) {
      move(10_001)
      await read()
    }
    // The first hedges are spent, and every read has earned a tenth of one.
    for (let count = 0; count < 10; count++) {
      move(10_001)
      reads.push(read())
      await new Promise((done) => setTimeout(done, 20))
    }
    expect(hedged.length).toBeGreaterThanOrEqual(22)
    expect(hedged.length).toBeLessThanOrEqual(23)
  })
})

test('a revert of the hedged provider is a result, and if both fail the next one is asked', async () => {
  const fails: Record<string, Error> = {
    a: new ChainReadError('a is gone', { retryable: true }),
    b: new ChainReadError('reverted', { retryable: false }),
  }
  const rpcs = ['a', 'b', 'c'].map((name) => ({
    ...nobody(name),
    health: { rank: () => 0, timeoutMs: () => 1, hedgeMs: () => 1, isOverdue: () => true } as const,
  }))
  const providers = createProviders(rpcs, createViemChain(8453))
  const read = () =>
    providers.read(async ({ rpc: { name } }) => {
      await new Promise((done) => setTimeout(done, name === 'a' ? 60 : 20))
      const error = fails[name]
      if (error) throw error
      return name
    })
  await expect(read()).rejects.toThrow('reverted')
  fails.b = new ChainReadError('b is gone', { retryable: true })
  expect(await read()).toBe('c')
})
