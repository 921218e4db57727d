import type { Cursor } from '@svc/index'
import { expect, test } from 'vitest'
import { ContestedBlockError } from './errors.ts'
import { createMarketHealth, findServingFault } from './health.ts'

const now = 1_800_000_000
const at = (age: number, halted: string | null = null): Cursor => ({
  number: 7n,
  hash: '0x07',
  timestamp: now - age,
  digest: '0x00',
  events: 3n,
  finalized: 0n,
  refolds: 0,
  halted,
})

test('a market is ready while its last block is recent, no matter which process writes', async () => {
  const health = createMarketHealth(() => now * 1000)
  health.progress('standard', { kind: 'standby' })
  health.progress('micro', { kind: 'stalled', error: new Error('provider 1 cannot be reached.') })
  const { ready, markets } = await health.readiness(async () => at(29))
  expect(ready).toBe(true)
  expect(markets.standard).toEqual({
    ready: true,
    state: 'standby',
    block: 7,
    secondsBehind: 29,
    why: null,
    doubted: {},
  })
  expect(markets.micro).toEqual({ ready: true, state: 'stalled', block: 7, secondsBehind: 29, why: null, doubted: {} })
})

test('reports how far a market is behind and why', async () => {
  const health = createMarketHealth(() => now * 1000)
  health.progress('micro', { kind: 'stalled', error: new Error('provider 1 cannot be reached.') })
  const stalled = await health.readiness(async (market) => at(market === 'micro' ? 31 : 0))
  expect(stalled.ready).toBe(false)
  expect(stalled.markets.standard.ready).toBe(true)
  expect(stalled.markets.micro).toMatchObject({ secondsBehind: 31, why: 'provider 1 cannot be reached.' })

  health.progress('micro', { kind: 'appended', cursor: at(31), events: 0 })
  const filling = await health.readiness(async () => at(31))
  expect(filling.markets.micro).toMatchObject({ state: 'writing', why: 'the last block is 31 s old' })

  const halted = await health.readiness(async () => at(0, 'Task 7 differs'))
  expect(halted).toMatchObject({ ready: false, markets: { micro: { why: 'Task 7 differs' } } })
})

test('a market whose last block a provider contests is not ready until the providers agree', async () => {
  const health = createMarketHealth(() => now * 1000)
  const providers = [{ rpc: { name: 'provider 1' } }, { rpc: { name: 'provider 2' } }]
  const error = new ContestedBlockError('provider 1 and provider 2 have different blocks 7.', providers)
  health.progress('micro', { kind: 'stalled', error })
  health.progress('micro', { kind: 'stalled', error: new Error('provider 1 cannot be reached.') })
  expect((await health.readiness(async () => at(1))).markets.micro).toMatchObject({ ready: false, state: 'stalled' })
  health.progress('micro', { kind: 'rolledBack', cursor: at(1), depth: 1n })
  expect((await health.readiness(async () => at(1))).markets.micro.ready).toBe(true)
})

test('names the providers that are doubted until they are trusted again', async () => {
  const health = createMarketHealth(() => now * 1000)
  health.doubt('micro', 'provider 1', 'has other logs')
  health.doubt('micro', 'provider 2', 'is behind')
  health.doubt('micro', 'provider 1', null)
  const { markets } = await health.readiness(async () => at(0))
  expect(markets.micro).toMatchObject({ ready: true, doubted: { 'provider 2': 'is behind' } })
  expect(markets.standard.doubted).toEqual({})
})

test('is not ready without a database or without a block', async () => {
  const health = createMarketHealth(() => now * 1000)
  const away = await health.readiness(() => Promise.reject(new Error('connect ECONNREFUSED')))
  expect(away).toMatchObject({
    ready: false,
    markets: { micro: { state: 'starting', why: 'the database does not answer: connect ECONNREFUSED' } },
  })
  const empty = await health.readiness(async () => null)
  expect(empty).toMatchObject({
    ready: false,
    markets: { micro: { block: null, why: 'no block has been written yet' } },
  })
})

test.each([
  ['it follows the serving build', 'a_2', null],
  ['another build serves', 'a', 'build a serves, and this process does not write it'],
  ['nothing serves', null, 'no build serves yet'],
])('%s', async (_, serving, why) => {
  const fault = findServingFault(serving, (build) => build === 'a_2')
  const health = createMarketHealth(() => now * 1000)
  const readiness = await health.readiness(async () => at(0), fault)
  expect(readiness).toMatchObject({ ready: why === null, why, markets: { micro: { ready: true } } })
})

test('a market whose rows cannot be relied on is not ready', async () => {
  const health = createMarketHealth(() => now * 1000)
  const fault = 'it has not been compared with contract storage yet'
  const { ready, markets } = await health.readiness(async (market) => ({
    ...at(0),
    fault: market === 'micro' ? fault : null,
  }))
  expect([ready, markets.micro.why, markets.standard.ready]).toEqual([false, fault, true])
})
