import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { computeDelayMs } from './turn.ts'

test('every keeper is the first for its share of the calls', () => {
  const keepers = ['1', '2', '3'].map((digit) => getAddress(`0x${digit.repeat(40)}`))
  const firsts = keepers.map(() => 0)
  for (let call = 0; call < 300; call++) {
    const delays = keepers.map((keeper) => computeDelayMs(keeper, `call ${call}`, 15_000))
    for (const delay of delays) expect(delay).toBeLessThanOrEqual(15_000)
    const first = delays.indexOf(Math.min(...delays))
    firsts[first] = (firsts[first] ?? 0) + 1
  }
  for (const count of firsts) expect(count).toBeGreaterThan(60)
})

test('a keeper always waits equally long for the same call, and not at all without jitter', () => {
  const keeper = getAddress(`0x${'4'.repeat(40)}`)
  expect(computeDelayMs(keeper, 'call', 9_999)).toBe(computeDelayMs(keeper, 'call', 9_999))
  expect(computeDelayMs(keeper, 'call', 0)).toBe(0)
})
