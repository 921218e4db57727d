import { createProvider, createViemChain } from '@svc/chain'
import { expect, test } from 'vitest'
import { ContestedBlockError, FalseDataError, ProviderDisagreementError } from './errors.ts'
import { createProviderRing } from './providerRing.ts'

const chain = createViemChain(1)
const [a, b, c] = ['a', 'b', 'c'].map((name) => createProvider({ name, request: async () => null }, chain)) as [
  ReturnType<typeof createProvider>,
  ReturnType<typeof createProvider>,
  ReturnType<typeof createProvider>,
]

function createWatchedRing(providers = [a, b, c]) {
  const doubts: [string, string | null][] = []
  const ring = createProviderRing(providers, (...doubt) => doubts.push(doubt))
  return {
    ring,
    doubts,
    names: () =>
      ring
        .order()
        .map(({ rpc }) => rpc.name)
        .join(''),
  }
}

test('names the provider that contradicts one that two agree with, and puts it last', () => {
  const { ring, doubts, names } = createWatchedRing()
  expect(names()).toBe('abc')
  ring.failed(new ProviderDisagreementError('a and b have different logs', [a, b]))
  expect(names()).toBe('bca')
  expect(doubts).toEqual([])
  ring.agreed([b, c, a])
  expect(doubts).toEqual([['a', 'a and b have different logs']])
  expect(ring.allTrusted()).toBe(false)
  ring.rotate()
  ring.rotate()
  expect(names()).toBe('bca')
})

test('one of two is not named, unless it contradicts itself', () => {
  const { ring, doubts } = createWatchedRing([a, b])
  ring.failed(new ProviderDisagreementError('a and b differ', [a, b]))
  ring.agreed([b, a])
  expect(doubts).toEqual([])
  ring.failed(new ProviderDisagreementError('b has a false header', [b]))
  expect(doubts).toEqual([['b', 'b has a false header']])
  ring.agreed([a, b])
  expect(doubts.at(-1)).toEqual(['b', null])
})

test('nobody is doubted for a reorganisation that one provider has not heard of yet', () => {
  const { ring, doubts } = createWatchedRing()
  ring.failed(new ContestedBlockError('a and b have different blocks 7.', []))
  ring.agreed([b, c])
  expect(doubts).toEqual([])
})

test('a doubted provider is compared again later and later, and is trusted once it agrees', () => {
  const { ring, doubts, names } = createWatchedRing()
  const trials: number[] = []
  ring.failed(new ProviderDisagreementError('c has a false header', [c]))
  ring.agreed([a, b, c])
  for (let step = 0; trials.length < 3; step++) {
    const order = ring.order()
    if (order[1] !== c) ring.agreed(order)
    else {
      trials.push(step)
      ring.failed(new ProviderDisagreementError('c has a false header', [c]))
      ring.agreed([a, b, c])
    }
  }
  expect(trials[0]).toBeGreaterThan(60)
  expect((trials[2] ?? 0) - (trials[1] ?? 0)).toBeGreaterThan(1.5 * ((trials[1] ?? 0) - (trials[0] ?? 0)))
  while (ring.order()[1] !== c) ring.agreed(ring.order())
  ring.agreed(ring.order())
  expect(doubts.at(-1)).toEqual(['c', null])
  expect(ring.allTrusted()).toBe(true)
  expect(names()).toHaveLength(3)
})

test('after a failure every pair has its turn, a doubted provider too', () => {
  const { ring, names } = createWatchedRing()
  ring.failed(new ProviderDisagreementError('c has a false header', [c]))
  ring.agreed([a, b, c])
  const pairs = new Set<string>()
  for (let attempt = 0; attempt < 4; attempt++) {
    pairs.add([...names().slice(0, 2)].sort().join(''))
    ring.failed(new Error('b cannot be reached.'))
  }
  expect([...pairs].sort()).toEqual(['ab', 'ac', 'bc'])
})

test('a provider that is refuted is left out until its trial, even if one other remains', () => {
  const { ring, doubts, names } = createWatchedRing([a, b])
  ring.failed(new FalseDataError('b returned other logs than receipts prove', [b]))
  expect(doubts).toEqual([['b', 'b returned other logs than receipts prove']])
  expect([names(), ring.isReduced()]).toEqual(['a', true])
  ring.failed(new Error('a cannot be reached.'))
  expect(names()).toBe('a')
  // Many steps of one provider do not decide a dispute, and then the other one is compared again.
  for (let step = 0; step < 64; step++) ring.agreed([a])
  expect([names(), ring.isReduced()]).toEqual(['ab', false])
  ring.agreed([a, b])
  expect(doubts.at(-1)).toEqual(['b', null])
})

test('two that agree on something false do not outvote the one that can prove it', () => {
  const { ring, names } = createWatchedRing()
  ring.failed(new FalseDataError('a and b left out logs', [a, b]))
  expect(names()).toBe('c')
  // If everybody is refuted, there is nobody better to ask.
  ring.failed(new FalseDataError('c left out logs', [c]))
  expect(names()).toHaveLength(3)
})

test('a silent provider comes last, also after a failure; a slow one after those that are as trusted', () => {
  const ranks: Record<string, 0 | 1 | 2> = { a: 2, b: 1, c: 0 }
  const rated = [a, b, c].map(({ rpc, client }) => ({
    client,
    rpc: {
      ...rpc,
      health: { rank: () => ranks[rpc.name] ?? 0, timeoutMs: () => 1, hedgeMs: () => 1, isOverdue: () => false },
    },
  }))
  const { ring, names } = createWatchedRing(rated)
  expect(names()).toBe('cba')
  ring.failed(new Error('c cannot be reached.'))
  expect(names().at(-1)).toBe('a')
  // All are silent: their order is as usual, so that they are asked all the same.
  Object.assign(ranks, { a: 2, b: 2, c: 2 })
  expect(names()).toHaveLength(3)
})
