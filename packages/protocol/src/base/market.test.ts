import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { isMarket, markets } from './market.ts'

test('the two markets', () => {
  expect(markets).toEqual(['standard', 'micro'])
  expect(markets.every(isMarket)).toBe(true)
})

test.each(['', 'Standard', ' micro', 'micro\n', 'toString', 0, null, undefined, ['micro']])(
  '%j is no market',
  (value) => {
    expect(isMarket(value)).toBe(false)
  },
)

test('nothing else is a market', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => isMarket(value) === (value === 'standard' || value === 'micro')),
    {
      numRuns: runs(100),
    },
  )
})
