import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/harness/runs.ts'
import { formatAmount, formatDuration, formatTime, InvalidAmountError, parseAmount } from './units.ts'

test.each([
  [0n, 'tok', '0 TOK'],
  [1n, 'tok', '0.000000000000000001 TOK'],
  [1_234_567n * 10n ** 18n + 5n * 10n ** 17n, 'tok', '1,234,567.5 TOK'],
  [25_000_000n, 'usdc', '25.00 USDC'],
  [2_500_000n, 'usdc', '2.50 USDC'],
  [1n, 'usdc', '0.000001 USDC'],
] as const)('%d of %s is %s', (amount, token, shown) => {
  expect(formatAmount(amount, token)).toBe(shown)
})

test('a formatted amount parses back exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 27n), fc.constantFrom('tok' as const, 'usdc' as const), (amount, token) => {
      const most = amount % (token === 'usdc' ? 10n ** 20n : 10n ** 27n)
      expect(parseAmount(formatAmount(most, token), token)).toBe(most)
    }),
    { numRuns: runs(100) },
  )
})

test.each(['', '-1', '1,5', '1.', '.5', '1e3', '0x10', '1.0000001', '1,000,00', '1 000', '٣'])(
  '%j is no amount of USDC',
  (text) => {
    expect(() => parseAmount(text, 'usdc')).toThrow(InvalidAmountError)
  },
)

test('times contain the zone, durations the units', () => {
  expect(formatTime(1_794_718_800)).toBe('2026-11-15 05:00:00 UTC')
  expect([0, 59, 90, 5_400, 259_200, 90_061].map(formatDuration)).toEqual([
    '0 s',
    '59 s',
    '1 min 30 s',
    '1 h 30 min',
    '3 d',
    '1 d 1 h',
  ])
})
