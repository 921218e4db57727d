import type { Provider } from '@svc/chain'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { FollowOptions } from '../../apps/indexer/src/follow.ts'
import { runsFactor } from '../../test/harness/env.ts'
import { createTestDatabase } from '../../test/harness/postgres.ts'
import type { ProviderCase } from './cases.ts'

const hashes = { trusted: false }
let runCase: typeof import('./runCase.ts').runCase
let decideNextStep: typeof import('../../apps/indexer/src/nextStep.ts').decideNextStep
beforeAll(async () => {
  vi.doMock('@svc/chain', async (load) => {
    const original = await load<typeof import('@svc/chain')>()
    // The simulated chain hashes headers that have no hash yet. Those of a provider have one.
    const hashHeader: typeof original.hashHeader = (header) =>
      hashes.trusted && typeof header.hash === 'string' ? `0x${header.hash.slice(2)}` : original.hashHeader(header)
    return { ...original, hashHeader }
  })
  // Files share their modules, so the defect is planted in a copy of them.
  vi.resetModules()
  runCase = (await import('./runCase.ts')).runCase
  decideNextStep = (await import('../../apps/indexer/src/nextStep.ts')).decideNextStep
})
afterAll(() => {
  vi.doUnmock('@svc/chain')
  vi.resetModules()
})

/** The second provider, except that the first answers some of its calls. So the two agree on them, whatever they say. */
const agreeOn =
  (methods: RegExp): NonNullable<FollowOptions['parts']>['nextStep'] =>
  ([first, second, ...others], cursor, options) => {
    if (!first || !second) return decideNextStep([], cursor, options)
    const { rpc, client } = second
    const agreeing: Provider = {
      client,
      rpc: { ...rpc, request: (method, ...rest) => (methods.test(method) ? first.rpc : rpc).request(method, ...rest) },
    }
    return decideNextStep([first, agreeing, ...others], cursor, options)
  }

const withoutReceipts = ({ rpc, client }: Provider): Provider => ({
  client,
  rpc: {
    ...rpc,
    request: async (method, ...rest) => (method === 'eth_getBlockReceipts' ? null : rpc.request(method, ...rest)),
  },
})

interface Defect extends ProviderCase {
  nextStep?: NonNullable<FollowOptions['parts']>['nextStep']
}

/** Followers without one of the checks, and a lie that it is there for. */
const defects: Record<string, Defect> = {
  'headers are not hashed, and blooms are zeroed': { faults: ['zeroedBlooms'], providers: 2 },
  'headers are not hashed, and times are wrong': { faults: ['shiftedTimestamps'], providers: 3 },
  'one provider is trusted': {
    faults: ['omittedLogs'],
    providers: 2,
    nextStep: (order, ...rest) => decideNextStep(order.slice(0, 1), ...rest),
  },
  'the last blocks are not compared': { faults: ['forgedHeaders'], providers: 2, nextStep: agreeOn(/^eth_getBlock/) },
  'the logs are not compared': { faults: ['changedLogs'], providers: 2, nextStep: agreeOn(/^eth_getLogs/) },
  'a provider that stopped is not reported': {
    faults: ['frozen'],
    providers: 2,
    nextStep: (...asked) =>
      decideNextStep(...asked).catch((error: Error) => {
        if (/blocks behind/.test(error.message)) return { kind: 'wait' }
        throw error
      }),
  },
  'receipts are not asked for': {
    faults: ['omittedLogs'],
    providers: 3,
    liars: 2,
    nextStep: (order, ...rest) => decideNextStep(order.map(withoutReceipts), ...rest),
  },
  'no other pair is tried': {
    // Receipts do not refute headers of a chain of its own.
    faults: ['forgedHeaders'],
    providers: 3,
    nextStep: (order, ...rest) =>
      decideNextStep(
        order.toSorted((a, b) => a.rpc.name.localeCompare(b.rpc.name)),
        ...rest,
      ),
  },
}

// A defect takes half a minute. The usual run plants one; RUNS plants all.
const planted = Object.entries(defects).slice(0, runsFactor())

test.each(planted)('notices that %s', async (name, { nextStep, ...each }) => {
  hashes.trusted = name.startsWith('headers are not hashed')
  for (let seed = 1; seed <= 6; seed++) {
    const database = await createTestDatabase()
    const { verdict, why } = await runCase({
      seed,
      url: database.url,
      ...each,
      ...(nextStep && { parts: { nextStep } }),
    })
    await database.drop()
    // A run that crashed has noticed nothing.
    if (verdict === 'failed' && /is wrong at|another chain|did not reach|does not say/.test(why ?? '')) return
  }
  expect.unreachable('No seed noticed the defect.')
})
