import { expect, test } from 'vitest'
import { LogRangeError } from './logs.ts'
import { createProviders, createViemChain } from './providers.ts'
import { RateLimitedError, type Rpc } from './rpc.ts'

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
